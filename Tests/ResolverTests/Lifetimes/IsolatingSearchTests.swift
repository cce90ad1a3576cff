import Resolver
import Testing

/// An isolating resolver with parents, children, siblings and the other lifetimes.
@Suite struct IsolatingSearchTests {
    private let parent = Resolver()
    private let isolating: Resolver

    init() { isolating = Resolver(isolating: parent) }

    @Test func `an isolating resolver of an isolating resolver has its own instances`() {
        let alive = Box(0), outer = Resolver(isolating: parent)
        parent.register { Counted(alive) }.scope(.application)
        outer.register(name: "outer") { Counted(alive) }.scope(.cached)
        let outers: Counted = outer.resolve(), named: Counted = outer.resolve(name: "outer")
        do {
            let inner = Resolver(isolating: outer)
            let own: Counted = inner.resolve(), ownNamed: Counted = inner.resolve(name: "outer")
            #expect(Set([outers, named, own, ownNamed].map(ObjectIdentifier.init)).count == 4)
            #expect(inner.resolve(Counted.self) === own)
            #expect(inner.resolve(Counted.self, name: "outer") === ownNamed)
        }
        #expect(alive.value == 2)
        #expect(outer.resolve(Counted.self) === outers)
        #expect(outer.resolve(Counted.self, name: "outer") === named)
    }

    @Test func `a parent of an isolating resolver gets that resolver's instances`() {
        let alive = Box(0)
        parent.register { Counted(alive) }.scope(.cached)
        isolating.register(name: "own") { Counted(alive) }.scope(.cached)
        let parents: Counted = parent.resolve()
        do {
            let front = Resolver(child: isolating)
            #expect(front.resolve(Counted.self) === isolating.resolve(Counted.self))
            #expect(front.resolve(Counted.self) !== parents)
            #expect(front.resolve(Counted.self, name: "own") === isolating.resolve(Counted.self, name: "own"))
        }
        #expect(alive.value == 3, "the end of the one in front is no end of theirs")
    }

    @Test func `a registration resolves a graph service to the instance of the isolating resolver`() {
        let front = Resolver(child: isolating)
        let registration = parent.register { Leaf() }.registration
        parent.register(name: "root") {
            let direct: Leaf = parent.resolve(), own: Leaf = front.resolve()
            return Box([direct, own, registration.resolve(resolver: front, args: nil)])
        }
        let leaves = parent.resolve(Box<[Leaf?]>.self, name: "root").value
        #expect(leaves[1] === leaves[2])
        #expect(leaves[0] !== leaves[2])
    }

    @Test func `a child that is added later is isolated too`() {
        let added = Resolver()
        added.register { Leaf() }.scope(.cached)
        let direct: Leaf = added.resolve()
        isolating.add(child: added)
        let own: Leaf = isolating.resolve()
        #expect(own !== direct)
        #expect(isolating.resolve(Leaf.self) === own)
        #expect(added.resolve(Leaf.self) === direct)
    }

    @Test func `a service that is found outside the isolating resolver is not isolated`() {
        let plain = Resolver()
        parent.register(name: "parent") { Leaf() }.scope(.cached)
        plain.register(name: "plain") { Leaf() }.scope(.cached)
        let front = Resolver(child: isolating)
        front.add(child: plain)
        #expect(front.resolve(Leaf.self, name: "parent") !== parent.resolve(Leaf.self, name: "parent"))
        #expect(front.resolve(Leaf.self, name: "plain") === plain.resolve(Leaf.self, name: "plain"))
    }

    @Test func `an alias resolves to the isolating resolver's instance`() {
        parent.register { Player() }.implements(Role.self).implements(SecondRole.self, name: "second").scope(.cached)
        let parents: Role = parent.resolve()
        for _ in 0..<3 { #expect(parent.resolve(Role.self) === parents) }
        let own: Role = isolating.resolve()
        #expect(own !== parents)
        #expect(isolating.resolve(Player.self) === own)
        #expect(isolating.resolve(SecondRole.self, name: "second") === own)
        #expect(isolating.existing(Role.self) === own)
        for _ in 0..<3 { #expect(isolating.resolve(Role.self) === own) }
        isolating.register { Player() }.scope(.cached)
        #expect(isolating.resolve(Role.self) === isolating.resolve(Player.self))
        #expect(isolating.resolve(Role.self) !== own)
        #expect(parent.resolve(Role.self) === parents)
    }

    @Test func `a resolution cycle shares graph instances per side of an isolating resolver`() {
        parent.register { Leaf() }.scope(.graph)
        isolating.register { [unowned parent] (r: Resolver) -> [Leaf] in
            [r.resolve(), parent.resolve(), r.resolve(), parent.resolve()]
        }
        let leaves: [Leaf] = isolating.resolve()
        #expect(leaves[0] === leaves[2])
        #expect(leaves[1] === leaves[3])
        #expect(leaves[0] !== leaves[1])
    }

    @Test func `a cycle that enters through a parent shares nothing with the isolated resolver`() {
        parent.register { Leaf() }.scope(.graph)
        let front = Resolver(child: isolating)
        front.register { [unowned parent] (r: Resolver) -> [Leaf] in [r.resolve(), parent.resolve()] }
        let leaves: [Leaf] = front.resolve()
        #expect(leaves[0] !== leaves[1])
    }

    @Test func `a resolution cycle shares the isolating resolver's own graph instance with its parent`() {
        let isolating = Resolver(isolating: Resolver())
        isolating.register { Leaf() }.scope(.graph)
        let front = Resolver(child: isolating)
        front.register { [unowned isolating] (r: Resolver) -> [Leaf] in [r.resolve(), isolating.resolve()] }
        let leaves: [Leaf] = front.resolve()
        #expect(leaves[0] === leaves[1])
    }

    // MARK: Other lifetimes

    @Test func `an isolating resolver's clock applies to its instances`() {
        let time = ManualTime(), own = ManualTime()
        let parent = time.resolver(), isolating = Resolver(isolating: parent)
        isolating.clock = own.clock
        parent.register { Leaf() }.scope(.cached).timeToLive(10)
        let parents: Leaf = parent.resolve(), first: Leaf = isolating.resolve()
        time.set(10)
        #expect(isolating.resolve(Leaf.self) === first)
        #expect(parent.existing(Leaf.self) == nil)
        own.set(10)
        #expect(isolating.existing(Leaf.self) == nil)
        #expect(isolating.resolve(Leaf.self) !== first)
        #expect(parent.resolve(Leaf.self) !== parents)
    }

    @Test func `purging releases each side's expired instances`() {
        let time = ManualTime(), alive = Box(0)
        let parent = time.resolver(), isolating = Resolver(isolating: parent)
        isolating.clock = time.clock
        parent.register { Counted(alive) }.scope(.cached).timeToLive(10)
        weak let parents = parent.resolve(Counted.self)
        weak let own = isolating.resolve(Counted.self)
        time.set(10)
        isolating.purgeExpired()
        #expect(own == nil)
        #expect(parents != nil)
        parent.purgeExpired()
        #expect(alive.value == 0)
    }

    @Test func `an isolating resolver has its own instance for each argument`() {
        let alive = Box(0)
        parent.register { Counted(alive) }.scope(.cached).scopeOnArguments()
        let parents: Counted = parent.resolve(args: 1)
        do {
            let isolating = Resolver(isolating: parent), one: Counted = isolating.resolve(args: 1)
            #expect(one !== parents)
            #expect(isolating.resolve(Counted.self, args: 2) !== one)
            #expect(isolating.resolve(Counted.self, args: 1) === one)
            #expect(alive.value == 3)
        }
        #expect(alive.value == 1)
        #expect(parent.resolve(Counted.self, args: 1) === parents)
    }

    @Test func `property wrappers resolve from an isolating resolver`() {
        parent.register { Leaf() }.scope(.cached)
        let own: Leaf = isolating.resolve()
        #expect(Injected<Leaf>(container: isolating).wrappedValue === own)
        #expect(LazyInjected<Leaf>(container: isolating).wrappedValue === own)
        #expect(Injected<Leaf>(container: parent).wrappedValue !== own)
    }

    // MARK: Threads

    @Test func `thirty two threads with separate isolating resolvers see only their own instances`() {
        let alive = Box(0), got = Box<[Counted]>([]), wrong = Box(0)
        parent.register { Counted(alive) }.implements(AnyObject.self).scope(.application)
        let allHaveTheirs = Rendezvous(32)
        Threads.run(32) { _ in
            let isolating = Resolver(isolating: parent), own: Counted = isolating.resolve()
            got.append(own)
            allHaveTheirs.arriveAndWait()
            for _ in 0..<200 where isolating.resolve(AnyObject.self) !== own { wrong.increment() }
        }
        #expect(wrong.value == 0)
        #expect(Set(got.value.map(ObjectIdentifier.init)).count == 32)
        #expect(parent.existing(Counted.self) == nil)
        got.set([])
        #expect(alive.value == 0)
    }

    @Test func `an isolating resolver that ends during a new registration releases each instance once`() {
        let made = Box(0), alive = Box(0), released = Box(0)
        let register: @Sendable () -> Void = { [unowned parent] in
            parent.register { made.counting(Counted(alive)) }.scope(.cached).onRelease { _ in released.increment() }
        }
        register()
        for _ in 0..<300 {
            let isolating = Box<Resolver?>(Resolver(isolating: parent))
            _ = isolating.value?.resolve(Counted.self)
            Threads.run({ register() }, { isolating.set(nil) })
        }
        #expect(made.value == 300)
        #expect(released.value == 300)
        #expect(alive.value == 0)
    }

    @Test func `registering on the parent while isolating resolvers are used leaves no instance`() {
        let alive = Box(0)
        do {
            let parent = Resolver()
            let register: @Sendable () -> Void = { [unowned parent] in
                parent.register { Counted(alive) }.scope(.cached)
            }
            register()
            Threads.run(6) { thread in
                for _ in 0..<500 {
                    if thread == 0 {
                        register()
                    } else {
                        let isolating = Resolver(isolating: parent)
                        precondition(isolating.resolve(Counted.self).alive === alive)
                    }
                }
            }
            #expect(alive.value == 0)
        }
    }

    @Test func `a resolver found on another path may become isolated`() {
        let inner = Resolver(), behind = Resolver(), front = Resolver(child: Resolver(isolating: behind))
        front.add(child: inner)
        inner.register { Leaf() }.scope(.cached)
        let inners: Leaf = inner.resolve()
        #expect(front.resolve(Leaf.self) === inners)
        // The search order is unchanged, but the path to the resolver differs.
        behind.add(child: inner)
        #expect(front.resolve(Leaf.self) !== inners)
        #expect(inner.resolve(Leaf.self) === inners)
    }
}
