import Resolver
import Testing

@Suite struct IsolatingTests {
    private let parent = Resolver(), isolating: Resolver

    init() { isolating = Resolver(isolating: parent) }

    @Test func `a singleton registered in an isolating resolver is not shared`() {
        func fill(_ resolver: Resolver) -> Resolver {
            resolver.register { Leaf() }.scope(.application)
            return resolver
        }
        let plain = fill(Resolver())
        let first = fill(Resolver(isolating: plain)), second = fill(Resolver(isolating: plain))
        let shared: Leaf = plain.resolve(), own: Leaf = first.resolve()
        expect(own !== shared)
        expect(own !== second.resolve(Leaf.self))
        expect(first.resolve(Leaf.self) === own)
        expect(fill(Resolver()).resolve(Leaf.self) === shared)
        first.reset(scope: .application)
        expect(first.resolve(Leaf.self) !== own)
        expect(plain.resolve(Leaf.self) === shared)
    }

    /// Of the scopes that keep something of a resolver, only the first are noted; of the isolating resolvers, all.
    @Test func `a new registration releases what each of many isolating resolvers keeps`() {
        let alive = Box(0)
        func register() { parent.register { Counted(alive) }.scope(.cached) }
        register()
        let isolating = (0..<300).map { _ in Resolver(isolating: parent) }
        for resolver in isolating { _ = resolver.resolve(Counted.self) }
        expect(alive.value, is: 300)
        register()
        expect(alive.value, is: 0)
        withExtendedLifetime(isolating) {}
    }

    @Test(arguments: [ResolverScope.cached, .application, .container, .shared])
    func `registrations say what the resolver that was asked keeps`(_ scope: ResolverScope) {
        func areKept() -> [Bool] { [parent, Resolver(child: parent), isolating].map { $0.registrations[0].isKept } }
        parent.register { Leaf() }.scope(scope)
        expect(areKept(), is: [false, false, false])
        let own: Leaf = isolating.resolve()
        expect(areKept(), is: [false, false, true])
        let parents: Leaf = parent.resolve()
        expect(areKept(), is: [true, true, true])
        isolating.reset(Leaf.self)
        expect(areKept(), is: [true, true, false])
        expect(own !== parents)
        isolating.register { OtherLeaf() }.scope(scope)
        let front = Resolver()
        front.add(child: isolating)
        let other: OtherLeaf = front.resolve()
        expect([front, isolating].allSatisfy { $0.registrations.contains { $0.type == OtherLeaf.self && $0.isKept } })
        withExtendedLifetime(other) {}
    }

    /// A search for dead resolvers releases user objects: a factory retains an object whose `deinit` needs the
    /// registering resolver.
    @Test func `isolating resolvers that begin and end on several threads do not deadlock`() async {
        await #expect(processExitsWith: .success) {
            let parent = Resolver()
            parent.register { Leaf() }.scope(.cached)
            // Separate functions, so that nothing here outlives the isolating resolver.
            @Sendable func factory() -> @Sendable () -> OtherLeaf {
                let asking = DeinitCallback { _ = parent.cache }
                return { withExtendedLifetime(asking) { OtherLeaf() } }
            }
            @Sendable func isolating() -> Resolver {
                let other = Resolver(), isolating = Resolver(isolating: parent)
                other.register(factory: factory()).scope(.cached)
                isolating.add(child: other)
                return isolating
            }
            Threads.run(4) { _ in
                for _ in 0..<Sanitizer.rounds(5000) {
                    let resolver = isolating()
                    _ = (resolver.resolve(Leaf.self), resolver.resolve(OtherLeaf.self))
                }
            }
        }
    }

    @Test func `a reset of a resolver's cache in an isolating resolver releases what that one keeps`() {
        let others = Resolver(child: parent)
        parent.register { Leaf() }.scope(.container)
        let kept: Leaf = parent.resolve(), own: Leaf = isolating.resolve()
        for resolver in [others, isolating] { resolver.reset(scope: resolver.cache) }
        expect(isolating.existing(Leaf.self) === own)
        for resolver in [others, isolating] { resolver.reset(scope: parent.cache) }
        expect(isolating.existing(Leaf.self) == nil)
        expect(parent.existing(Leaf.self) === kept)
    }

    @Test(arguments: [nil, CallbackScope()])
    func `a block that sets another scope finds its object behind a child of an isolating resolver`(
        _ scope: ResolverScope?
    ) throws {
        let parent = Resolver(), child = Resolver(child: Resolver(isolating: parent))
        let found = Box<Leaf?>(nil), options = parent.register { Leaf() }
        if let scope { options.scope(scope) } else { options.scoped(to: .session) }
        options.resolveProperties { _, _ in
            options.scope(.cached)
            found.set(try child.tryResolve(Leaf.self))
        }
        let leaf = try child.tryResolve(Leaf.self)
        expect(leaf === found.value)
    }

    @Test func `a registration resolves a graph service to the instance of the isolating resolver`() {
        let front = Resolver(child: isolating)
        let registration = parent.register { Leaf() }.registration
        parent.register(name: "root") {
            let direct: Leaf = parent.resolve(), own: Leaf = front.resolve()
            return Box([direct, own, registration.resolve(resolver: front, args: nil)])
        }
        let leaves = parent.resolve(Box<[Leaf?]>.self, name: "root").value
        expect(leaves[1] === leaves[2])
        expect(leaves[0] !== leaves[2])
    }

    /// In a process of its own, whose first call takes the long way, and later ones the short way.
    @Test func `a resolution cycle shares the isolating resolver's own graph instance with its parent`() async {
        await #expect(processExitsWith: .success) {
            let isolating = Resolver(isolating: Resolver())
            isolating.register { Leaf() }.scope(.graph)
            let front = Resolver(child: isolating)
            front.register { [unowned isolating] (r: Resolver) -> [Leaf] in [r.resolve(), isolating.resolve()] }
            for _ in 0..<2 {
                let leaves: [Leaf] = front.resolve()
                expect(leaves[0] === leaves[1])
            }
        }
    }

    @Test func `an isolating resolver's clock applies to its instances`() {
        let time = ManualTime(), own = ManualTime()
        let parent = time.resolver(), isolating = Resolver(isolating: parent)
        isolating.clock = own.clock
        parent.register { Leaf() }.scope(.cached).timeToLive(10)
        let parents: Leaf = parent.resolve(), first: Leaf = isolating.resolve()
        time.set(10)
        expect(isolating.resolve(Leaf.self) === first)
        expect(parent.existing(Leaf.self), is: nil)
        own.set(10)
        expect(isolating.existing(Leaf.self), is: nil)
        expect(isolating.resolve(Leaf.self) !== first)
        expect(parent.resolve(Leaf.self) !== parents)
    }

    @Test func `a context's own registration precedes a cached instance`() {
        parent.register { Leaf() }.scope(.cached)
        let kept: Leaf = isolating.resolve()
        expect(isolating.resolve(Leaf.self) === kept)
        Resolver.withScope(.request, id: "1") {
            let own = Leaf()
            Resolver.registerScoped(Leaf.self, scope: .request) { own }
            expect(isolating.resolve(Leaf.self) === own)
        }
        expect(isolating.resolve(Leaf.self) === kept)
    }

    @Test func `the first isolating resolver on the search path caches the instance`() {
        parent.register { Leaf() }.scope(.cached)
        let inner = Resolver(isolating: parent), outer = Resolver(isolating: inner), front = Resolver(child: inner)
        let farther = Resolver(child: Resolver(child: outer))
        let byOuter: Leaf = outer.resolve(), byInner: Leaf = inner.resolve()
        expect(byOuter !== byInner)
        for _ in 0..<2 {
            expect(outer.resolve(Leaf.self) === byOuter)
            expect(farther.resolve(Leaf.self) === byOuter)
            expect(front.resolve(Leaf.self) === byInner)
        }
    }

    @Test func `a resolver added before an isolating one is searched first`() {
        let plain = Resolver()
        for resolver in [plain, parent] { resolver.register { Leaf() }.scope(.cached) }
        let late = Resolver(isolating: parent), lates: Leaf = late.resolve()
        expect(late.resolve(Leaf.self) === lates)
        let front = Resolver(child: Resolver(isolating: Resolver()))
        front.add(child: plain)
        front.add(child: late)
        expect(front.resolve(Leaf.self) === plain.resolve(Leaf.self))
    }

    @Test func `hits hold no instance, with arguments and while children are added to other resolvers`() {
        weak var held: Leaf?
        do {
            parent.register { Leaf() }.scope(.cached)
            let isolating = Resolver(isolating: parent), kept: Leaf = isolating.resolve()
            held = kept
            expect(isolating.resolve(Leaf.self, args: 1) === kept)
            expect(isolating.optional(Leaf.self, args: 1) === kept)
            let ask: @Sendable () -> Void = {
                for _ in 0..<Sanitizer.rounds(50_000) where isolating.resolve(Leaf.self) !== kept { fatalError() }
            }
            Threads.run({ for _ in 0..<Sanitizer.rounds(10_000) { Resolver().add(child: Resolver()) } }, ask, ask)
        }
        expect(held, is: nil, "the parent, which lives on, has kept none")
    }

    @Test func `a resolver found on another path may become isolated`() {
        let inner = Resolver(), behind = Resolver(), front = Resolver(child: Resolver(isolating: behind))
        front.add(child: inner)
        inner.register { Leaf() }.scope(.cached)
        let inners: Leaf = inner.resolve()
        expect(front.resolve(Leaf.self) === inners)
        // The search order is unchanged, but the path to the resolver differs.
        behind.add(child: inner)
        expect(front.resolve(Leaf.self) !== inners)
        expect(inner.resolve(Leaf.self) === inners)
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
        expect(made.value, is: 300)
        expect(released.value, is: 300)
        expect(alive.value, is: 0)
    }
}
