import Resolver
import Testing

@Suite struct CustomScopeTests {
    @Test func `a cache can release the instance of one registration, with its hook`() {
        let cache = ResolverScopeCache(), alive = Box(0), released = Box(0), resolver = Resolver(), other = Resolver()
        let options = resolver.register { Counted(alive) }.scope(cache).onRelease { _ in released.increment() }
        resolver.register(name: "stays") { Counted(alive) }.scope(cache)
        other.register { Counted(alive) }.scope(cache)
        let old: Counted = resolver.resolve()
        let stays: Counted = resolver.resolve(name: "stays"), others: Counted = other.resolve()
        cache.release(options.registration)
        expect(released.value, is: 1)
        expect(resolver.resolve(Counted.self) !== old)
        expect(resolver.resolve(Counted.self, name: "stays") === stays)
        expect(other.resolve(Counted.self) === others)
        withExtendedLifetime((resolver, old)) { expect(alive.value, is: 4) }
    }

    /// A scope that asks for its own registration again, and not for a new instance.
    private final class EndlessScope: ResolverScopeType {
        func resolve<Service>(
            registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
        ) -> Service? { registration.resolve(resolver: resolver, args: args) }

        func reset() {}
    }

    @Test func `a scope that asks for its own registration without end is too deep`() async {
        await #expect(processExitsWith: .success) {
            let resolver = Resolver()
            resolver.register { Leaf() }.scope(EndlessScope())
            precondition(resolver.failure(Leaf.self)?.code == .tooDeep)
        }
    }

    /// - Parameter isOfResolver: whether the cache is that of the resolver, and the service is in the container scope.
    @Test(arguments: [false, true], [false, true])
    func `a cache's subclass is asked each time and makes one instance`(_ isAsync: Bool, _ isOfResolver: Bool) async {
        await #expect(processExitsWith: .success) { [isAsync, isOfResolver] in
            let cache = AuditedCache(), resolver = Resolver(), made = Box(0), bothAsk = Rendezvous(2)
            if isOfResolver { resolver.cache = cache }
            resolver.register(isAsync: isAsync) { _ in made.counting(Player()) }.implements(Role.self)
                .scope(isOfResolver ? .container : cache)
            let players = try await Tasks.results(2) { _ in
                await bothAsk.arriveAndPass()
                return try await resolver.resolveAsync(Player.self)
            }
            expect(players[0] === players[1])
            for _ in 0..<3 {
                let before = cache.asked.value
                try await expect(resolver.resolveAsync(Player.self) === players[0])
                expect(resolver.resolve(Player.self) === players[0])
                expect(resolver.resolve(Role.self) === players[0])
                expect(cache.asked.value, is: before + 3, "a hit asks once")
            }
            cache.reset()
            try await expect(resolver.resolveAsync(Player.self) !== players[0])
            expect(made.value, is: 2)
        }
    }

    /// Caches nothing and records the calls.
    private final class Told: ResolverScopeType {
        let released = Box<[ObjectIdentifier]>([]), resets = Box(0)

        func resolve<Service>(registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?) -> Service? {
            registration.instantiate(resolver: resolver, args: args)
        }

        func release(_ registration: AnyResolverRegistration) { released.append(ObjectIdentifier(registration)) }
        func reset() { resets.increment() }
    }

    @Test(arguments: [false, true])
    func `a scope gets each registration to release when it is replaced, reset or changed`(_ isCache: Bool) {
        let told = Told(), cache = AuditedCache(), scope: any ResolverScopeType = isCache ? cache : told
        let (released, resets) = isCache ? (cache.released, cache.resets) : (told.released, told.resets)
        var resolver: Resolver! = Resolver()
        func register(name: Resolver.Name? = nil) -> ResolverOptions<Leaf> {
            let options = resolver.register(name: name) { Leaf() }.scope(scope)
            _ = resolver.resolve(Leaf.self, name: name)
            return options
        }
        func expectRelease(_ options: ResolverOptions<Leaf>?, _ reason: Comment) {
            let expected = options.map { [ObjectIdentifier($0.registration)] } ?? []
            expect(released.exchange([]), is: expected, reason)
        }
        let first = register()
        expectRelease(nil, "nothing has happened")
        let second = register()
        expectRelease(first, "it was replaced")
        resolver.reset(scope: scope)
        expectRelease(second, "its scope was reset in its resolver")
        resolver.reset(.scopes)
        expectRelease(second, "all scopes were")
        resolver.reset(scope: .cached)
        expectRelease(nil, "another scope was")
        resolver.reset(.registrations)
        expectRelease(second, "its registration was removed")
        let changing = register(name: "changes")
        changing.scope(.unique)
        expectRelease(changing, "it left")
        let last = register()
        resolver = nil
        expectRelease(last, "its resolver was released")
        expect(resets.value, is: 0)
    }

    enum Change: CaseIterable { case unregister, registerAgain }

    @Test(arguments: Change.allCases, [false, true])
    func `a scope keeps nothing for a registration that is gone by then`(_ change: Change, isAsync: Bool) async throws {
        let resolver = Resolver(), scope = TableScope()
        resolver.register(isAsync: isAsync) { resolver -> Leaf in
            switch change {
            case .unregister: resolver.unregister(Leaf.self)
            case .registerAgain: resolver.register { Leaf() }.scope(scope)
            }
            return Leaf()
        }.scope(scope)
        _ = try await resolver.resolveAsync(Leaf.self)
        expect(scope.kept.value.isEmpty)
    }

    @Test func `a scope that passes a service on releases nothing that the next scope keeps for it`() {
        let resolver = Resolver(), cache = ResolverScopeCache(), others = Box<Leaf?>(nil)
        let options = Box<ResolverOptions<Leaf>?>(nil)
        options.set(
            resolver.register { resolver in
                if let registered = options.exchange(nil) {
                    registered.scope(cache)
                    Threads.run({ others.set(resolver.resolve(Leaf.self)) })
                }
                return Leaf()
            }.scope(PassingScope(cache)))
        _ = resolver.resolve(Leaf.self)
        expect(others.value != nil)
        expect(resolver.resolve(Leaf.self) === others.value)
    }

    enum Release: CaseIterable { case registerAgain, unregister, resetOfService, resetOfScope }

    @Test(arguments: Release.allCases, KeepingScope.allCases.flatMap { [($0, false), ($0, true)] })
    func `what a scope passes on to another is released as it is without the first`(
        _ release: Release, _ kept: (by: KeepingScope, isIsolated: Bool)
    ) {
        let inner = kept.by == .application ? ResolverScopeCache(sharing: .definition) : kept.by.make()
        let scope = PassingScope(inner), resolver = Resolver()
        let asked = kept.isIsolated ? Resolver(isolating: resolver) : resolver
        let register = { _ = resolver.register { Leaf() }.scope(scope) }
        register()
        let first: Leaf = asked.resolve()
        expect(asked.resolve(Leaf.self) === first)
        switch release {
        case .registerAgain: register()
        case .unregister:
            resolver.unregister(Leaf.self)
            register()
        case .resetOfService: asked.reset(Leaf.self)
        case .resetOfScope: asked.reset(scope: inner)
        }
        expect(asked.resolve(Leaf.self) !== first)
    }
}
