import Resolver
import Testing

@Suite struct ResetTests {
    @Test func `waiters across a reset get the old instance or one new one`() async {
        await #expect(processExitsWith: .success) {
            for _ in 0..<200 {
                let resolver = Resolver(), cache = ResolverScopeCache()
                let allHaveArrived = Rendezvous(6), isFirst = Box(true), made = Box<[Leaf]>([]), got = Box<[Leaf]>([])
                resolver.register { () -> Leaf in
                    if isFirst.exchange(false) { allHaveArrived.arriveAndWait() }
                    let leaf = Leaf()
                    made.append(leaf)
                    return leaf
                }.scope(cache)
                Threads.run(6) { index in
                    if index > 0 { allHaveArrived.arrive() }
                    if index == 5 { cache.reset() } else { got.append(resolver.resolve()) }
                }
                // The thread that arrived last may have been the first in the factory: then no thread waited.
                expect(got.value.allSatisfy { leaf in made.value.contains { $0 === leaf } })
                expect(made.value.count <= 2)
            }
        }
    }

    @Test func `an awaited reset of a scope runs all its hooks and calls what a subclass has overridden`() async {
        let resolver = Resolver(), cache = AuditedCache(), closed = Box<[Int]>([])
        for number in 0..<4 {
            let name = Resolver.Name("\(number)")
            resolver.register(name: name) { number }.scope(cache).onRelease { number in
                for _ in 0..<10 { await Task.yield() }
                closed.append(number)
            }
            _ = resolver.resolve(Int.self, name: name)
        }
        await resolver.resetAndWait(scope: .cached)
        expect(closed.value, is: [])
        await cache.resetAndWait()
        expect(closed.value, is: [3, 2, 1, 0])
        expect(cache.resets.value, is: 1)
    }

    @Test func `starting over waits for asynchronous hooks`() async {
        await #expect(processExitsWith: .success) {
            let closed = Box(0)
            Resolver.main = Resolver()
            for scope in [ResolverScope.application, .cached, .container] {
                let name = Resolver.Name("\(ObjectIdentifier(scope))")
                Resolver.register(name: name) { Leaf() }.scope(scope).onRelease { _ in
                    // Longer than code that does not wait takes to look.
                    for _ in 0..<10_000 { await Task.yield() }
                    closed.increment()
                }
                _ = Resolver.main.resolve(Leaf.self, name: name)
            }
            await Resolver.resetAndWait()
            Child.require(closed.value == 3, "\(closed.value)")
        }
    }

    @Test(arguments: [false, true])
    func `a reset keeps what a hook creates meanwhile, also in a cache of the user's class`(_ isOfContainer: Bool) {
        let resolver = Resolver(), released = Box<[OtherLeaf]>([]), cache = KeepingScope.Subclass()
        resolver.cache = cache
        resolver.register { OtherLeaf() }.scope(isOfContainer ? .container : cache).onRelease {
            [unowned resolver] (leaf: OtherLeaf) in
            released.append(leaf)
            if released.value.count == 1 { _ = resolver.resolve(OtherLeaf.self) }
        }
        _ = resolver.resolve(OtherLeaf.self)
        resolver.reset(.scopes)
        expect(released.value.count, is: 1)
        expect(resolver.existing(OtherLeaf.self) != nil)
        cache.reset()
        expect(released.value.count, is: 2)
    }

    @Test func `a scope of two caches that is told of a release keeps what a hook creates meanwhile`() {
        final class Two: ResolverScopeType, Sendable {
            let (first, second) = (ResolverScopeCache(), ResolverScopeCache())
            func resolve<Service>(
                registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
            ) -> Service? { second.resolve(registration: registration, resolver: resolver, args: args) }
            func release(_ registration: AnyResolverRegistration) {
                first.release(registration)
                second.release(registration)
            }
            func reset() { second.reset() }
        }
        let resolver = Resolver(), released = Box(0)
        resolver.register { Leaf() }.scope(Two()).onRelease { [unowned resolver] _ in
            if released.increment() == 1 { _ = resolver.resolve(Leaf.self) }
        }
        _ = resolver.resolve(Leaf.self)
        resolver.reset(Leaf.self)
        expect(released.value, is: 1)
    }

    @Test func `a scope that is told of a release may release what it has created since`() {
        final class Again: ResolverScopeCache, @unchecked Sendable {
            let resolver = Box<Resolver?>(nil)
            override func release(_ registration: AnyResolverRegistration) {
                super.release(registration)
                guard let resolver = self.resolver.exchange(nil) else { return }
                _ = resolver.resolve(Leaf.self)
                self.release(registration)
            }
        }
        let resolver = Resolver(), scope = Again(), released = Box(0)
        resolver.register { Leaf() }.scope(scope).onRelease { _ in released.increment() }
        _ = resolver.resolve(Leaf.self)
        scope.resolver.set(resolver)
        resolver.reset(Leaf.self)
        expect(released.value, is: 2)
        expect(resolver.existing(Leaf.self), is: nil)
    }

    /// - Parameter isReplaced: whether the reset has released an instance that the hook replaces.
    @Test(arguments: [false, true], [false, true])
    func `a reset that waits keeps what a hook creates meanwhile`(_ isOfSubclass: Bool, _ isReplaced: Bool) async {
        let resolver = Resolver(), cache = isOfSubclass ? KeepingScope.Subclass() : ResolverScopeCache()
        let next = Box<OtherLeaf?>(nil)
        resolver.register { OtherLeaf() }.scope(cache)
        resolver.register { Leaf() }.scope(cache).onRelease { [unowned resolver] (_: Leaf) async in
            if isReplaced { resolver.reset(OtherLeaf.self) }
            next.set(resolver.resolve(OtherLeaf.self))
        }
        if isReplaced { _ = resolver.resolve(OtherLeaf.self) }
        _ = resolver.resolve(Leaf.self)
        await cache.resetAndWait()
        expect(next.value != nil)
        expect(resolver.existing(OtherLeaf.self) === next.value)
    }

    @Test func `concurrent calls see the old or the new registration and nothing else`() {
        let resolver = Resolver()
        resolver.register { 0 }.scope(.cached)
        let last = 3000, isOver = Box(false), wrong = Box<[Int]>([])
        Threads.run(9) { thread in
            if thread == 0 {
                for version in 1...last {
                    resolver.register { version }.scope(.cached)
                    resolver.register(name: .init("\(version)")) { version }
                }
                return isOver.set(true)
            }
            var newest = 0
            while !isOver.value {
                let version: Int = resolver.resolve()
                if version < newest || version > last { wrong.append(version) }
                newest = version
                if let named: Int = resolver.optional(name: .init("\(version)")), named != version {
                    wrong.append(named)
                }
            }
        }
        expect(wrong.value, is: [])
        expect(resolver.resolve(Int.self), is: last)
    }

    /// - Parameter isUsedBefore: whether the child's alias has been resolved before its service is replaced.
    @Test(arguments: [true, false])
    func `a child's alias resolves to the service that its parent replaces`(_ isUsedBefore: Bool) {
        let main = Resolver()
        main.register { Player() }.implements(Role.self).scope(.cached)
        let before: [Role] = isUsedBefore ? [main.resolve(), main.resolve()] : []
        let front = Resolver(child: main)
        front.register { Player() }.scope(.cached)
        let fronts: Role = front.resolve()
        expect(fronts === front.resolve(Player.self))
        let own: Role = main.resolve()
        expect(own !== fronts)
        expect(own === main.resolve(Player.self))
        expect(before.allSatisfy { $0 === own })
    }

    @Test func `the root is the main resolver at the first static resolve until another is assigned`() async {
        await #expect(processExitsWith: .success) {
            Resolver.main = Resolver()
            Resolver.register { Leaf() }
            expect(Resolver.optional(Leaf.self) != nil)
            Resolver.main = Resolver()
            expect(Resolver.optional(Leaf.self) != nil)
            Resolver.root = Resolver.main
            expect(Resolver.optional(Leaf.self), is: nil)
        }
    }

    /// The creation ends while the hook of what it was created from runs.
    @Test(arguments: [false, true])
    func `a reset keeps nothing whose creation has begun before it`(_ hasArguments: Bool) {
        let resolver = Resolver(), isCreating = Gate(), mayFinish = Gate(), isMade = Gate(), hooks = Box<[String]>([])
        resolver.register { Leaf() }.scope(.cached).onRelease { _ in
            mayFinish.open()
            isMade.wait()
            expect(resolver.existing(Holder<Leaf>.self), is: nil)
            hooks.append("leaf")
        }
        let options = resolver.register { (resolver: Resolver) -> Holder<Leaf> in
            let leaf: Leaf = resolver.resolve()
            isCreating.open()
            mayFinish.wait()
            return Holder(leaf)
        }
        .scope(.cached).onRelease { _ in hooks.append("holder") }
        if hasArguments { options.scopeOnArguments(Int.self) }
        Threads.run {
            _ = resolver.resolve(Holder<Leaf>.self, args: hasArguments ? 1 : nil)
            isMade.open()
        } beside: {
            isCreating.wait()
            resolver.reset(.scopes)
        }
        expect(hooks.value, is: ["leaf"])
        let isKept = resolver.existing(Holder<Leaf>.self) != nil
        expect(!isKept)
    }
}
