import Resolver
import Testing

@Suite struct ResetTests {
    @Test func `an awaited reset of a scope calls what a subclass has overridden, and leaves other scopes`() async {
        let resolver = Resolver(), cache = AuditedCache(), closed = Box(0)
        resolver.register { Leaf() }.scope(cache).onRelease { _ in
            await Task.yield()
            closed.increment()
        }
        _ = resolver.resolve(Leaf.self)
        await resolver.resetAndWait(scope: .cached)
        expect(closed.value, is: 0)
        await cache.resetAndWait()
        expect(closed.value, is: 1)
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

    /// Creates another instance when it is told of a release, and then releases that as well.
    private final class Again: ResolverScopeCache, @unchecked Sendable {
        let resolver = Box<Resolver?>(nil)

        override func release(_ registration: AnyResolverRegistration) {
            super.release(registration)
            guard let resolver = self.resolver.exchange(nil) else { return }
            _ = resolver.resolve(Leaf.self)
            self.release(registration)
        }
    }

    @Test func `a scope that is told of a release may release what it has created since`() {
        let resolver = Resolver(), scope = Again(), released = Box(0)
        resolver.register { Leaf() }.scope(scope).onRelease { _ in released.increment() }
        _ = resolver.resolve(Leaf.self)
        scope.resolver.set(resolver)
        resolver.reset(Leaf.self)
        expect(released.value, is: 2)
        expect(resolver.existing(Leaf.self), is: nil)
    }

    /// Passes calls to one cache, and tells two of a release.
    private final class Two: ResolverScopeType, Sendable {
        let first = ResolverScopeCache(), second = ResolverScopeCache()

        func resolve<Service>(registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?) -> Service? {
            second.resolve(registration: registration, resolver: resolver, args: args)
        }

        func existing<Service>(registration: ResolverRegistration<Service>, resolver: Resolver) -> Service? {
            second.existing(registration: registration, resolver: resolver)
        }

        func release(_ registration: AnyResolverRegistration) {
            for cache in [first, second] { cache.release(registration) }
        }
        func reset() { second.reset() }
    }

    @Test(arguments: ["container", "users class", "two caches"])
    func `a reset keeps what a hook creates meanwhile, also in scopes of the user's classes`(_ kind: String) {
        let resolver = Resolver(), released = Box(0), cache = KeepingScope.Subclass()
        resolver.cache = cache
        let scopes: [String: any ResolverScopeType] = ["container": ResolverScope.container, "two caches": Two()]
        resolver.register { Leaf() }.scope(scopes[kind] ?? cache).onRelease { [unowned resolver] _ in
            if released.increment() == 1 { _ = resolver.resolve(Leaf.self) }
        }
        _ = resolver.resolve(Leaf.self)
        if kind == "two caches" { resolver.reset(Leaf.self) } else { resolver.reset(.scopes) }
        expect(released.value, is: 1)
        expect(resolver.existing(Leaf.self) != nil)
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

    /// The waiter is a task, so the test knows when it waits.
    @Test func `a waiter receives the instance even if its scope is reset meanwhile`() async {
        await #expect(processExitsWith: .success) {
            let resolver = Resolver(), callers = Callers(), made = Box<Leaf?>(nil), pause = Pause()
            resolver.register { pause.blocking(Leaf()) }.scope(.cached)
            let maker = RunningThread { made.set(resolver.resolve(Leaf.self)) }
            try await pause.hasBegun.passUnlessCancelled()
            let waiter = callers.call { try await resolver.resolveAsync(Leaf.self) }
            await callers.untilAllWait()
            resolver.reset(.scopes)
            pause.mayEnd.open()
            let got = try await waiter.value
            maker.join()
            expect(got === made.value)
            expect(resolver.existing(Leaf.self), is: nil)
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
        expect(resolver.existing(Holder<Leaf>.self), is: nil)
    }
}
