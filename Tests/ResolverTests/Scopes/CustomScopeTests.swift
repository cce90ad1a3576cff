import Resolver
import Testing

extension ResolverScope {
    fileprivate static let office = ResolverScopeCache()
    fileprivate static let audited = AuditedCache()
}

/// A cache that records the registrations it is told to release.
private final class AuditedCache: ResolverScopeCache, @unchecked Sendable {
    let released = Box<[ObjectIdentifier]>([])

    override func release(_ registration: AnyResolverRegistration) {
        released.append(ObjectIdentifier(registration))
        super.release(registration)
    }
}

/// Custom scopes of an app.
@Suite struct CustomScopeTests {
    private final class UserManager: Sendable {}

    // MARK: A named cache

    @Test func `a reset of a custom scope reaches all resolvers`() {
        let resolvers = [Resolver(), Resolver()]
        for resolver in resolvers {
            resolver.register { UserManager() }
                .scope(.office)
        }
        let before = resolvers.map { $0.resolve(UserManager.self) }
        ResolverScope.office.reset()
        for (resolver, old) in zip(resolvers, before) {
            #expect(resolver.existing(UserManager.self) == nil)
            #expect(resolver.resolve(UserManager.self) !== old)
        }
    }

    @Test func `registering again releases the instance of a custom cache`() {
        let alive = Box(0)
        let resolver = Resolver()
        resolver.register { Counted(alive) }.scope(ResolverScopeCache())
        _ = resolver.resolve(Counted.self)
        #expect(alive.value == 1)
        resolver.register { Counted(alive) }.scope(.unique)
        #expect(alive.value == 0)
    }

    @Test func `a cache can release the instance of one registration`() {
        let cache = ResolverScopeCache()
        let alive = Box(0)
        let resolver = Resolver(), other = Resolver()
        let options = resolver.register { Counted(alive) }.scope(cache)
        resolver.register(name: "stays") { Counted(alive) }.scope(cache)
        other.register { Counted(alive) }.scope(cache)
        let old: Counted = resolver.resolve()
        let stays: Counted = resolver.resolve(name: "stays"), others: Counted = other.resolve()
        cache.release(options.registration)
        #expect(resolver.resolve(Counted.self) !== old)
        #expect(resolver.resolve(Counted.self, name: "stays") === stays)
        #expect(other.resolve(Counted.self) === others)
        withExtendedLifetime((resolver, old)) { #expect(alive.value == 4) }
    }

    @Test func `releasing a registration in one cache leaves other caches' instances`() {
        let resolver = Resolver(), caches = [ResolverScopeCache(), ResolverScopeCache()]
        let options = resolver.register { Leaf() }.scope(.container)
        let instances = {
            caches.map { cache -> Leaf in
                resolver.cache = cache
                return resolver.resolve()
            }
        }
        let old = instances()
        caches[1].release(options.registration)
        let new = instances()
        #expect(new[0] === old[0])
        #expect(new[1] !== old[1])
    }

    // MARK: A subclass

    @Test func `a reset passes the registrations to release to a subclass of a cache`() {
        let resolver = Resolver()
        let registration = resolver.register { Leaf() }.scope(.audited).registration
        let first: Leaf = resolver.resolve()
        #expect(resolver.resolve(Leaf.self) === first)
        ResolverScope.audited.released.set([])
        resolver.reset(scope: .audited)
        #expect(resolver.resolve(Leaf.self) !== first)
        #expect(ResolverScope.audited.released.value == [ObjectIdentifier(registration)])
    }

    @Test func `a subclass of a cache is asked on every call, also through an alias`() {
        let scope = CountingCache()
        let resolver = Resolver()
        resolver.register { Player() }.implements(Role.self).scope(scope)
        let first: Role = resolver.resolve()
        for calls in 2...6 {
            #expect((calls % 2 == 0 ? resolver.resolve(Role.self) : resolver.resolve(Player.self)) === first)
            #expect(scope.asked.value == calls)
        }
    }

    // MARK: A custom class

    /// Caches nothing and records the calls.
    private final class Told: ResolverScopeType {
        let released = Box<[ObjectIdentifier]>([])
        let resets = Box(0)

        func resolve<Service>(
            registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
        ) -> Service? {
            registration.instantiate(resolver: resolver, args: args)
        }

        func release(_ registration: AnyResolverRegistration) {
            released.append(ObjectIdentifier(registration))
        }

        func reset() {
            resets.increment()
        }

        /// Returns the registrations it was told to release since the last call.
        func news() -> [ObjectIdentifier] {
            released.update { released in
                defer { released = [] }
                return released
            }
        }
    }

    @Test func `a scope gets each registration to release when it is replaced, reset or changed`() {
        let scope = Told()
        var resolver: Resolver? = Resolver()
        let first = resolver?.register { Leaf() }.scope(scope).registration
        #expect(scope.news() == [])

        let second = resolver?.register { Leaf() }.scope(scope).registration
        #expect(scope.news() == [first].compactMap { $0.map { ObjectIdentifier($0) } }, "it was replaced")

        resolver?.reset(scope: scope)
        let identity = [second].compactMap { $0.map { ObjectIdentifier($0) } }
        #expect(scope.news() == identity, "its scope was reset in its resolver")
        resolver?.reset(.scopes)
        #expect(scope.news() == identity, "all scopes were")
        resolver?.reset(scope: .cached)
        #expect(scope.news() == [], "another scope was")

        let options = resolver?.register(name: "changes") { Leaf() }.scope(scope)
        options?.scope(.unique)
        #expect(scope.news() == [options.map { ObjectIdentifier($0.registration) }].compactMap(\.self), "it left")

        resolver = nil
        #expect(scope.news() == identity, "its resolver was released")
        #expect(scope.resets.value == 0)
    }

    /// Creates a service only while it is open.
    private final class OpeningHours: ResolverScopeType {
        let isOpen = Box(false)

        func resolve<Service>(
            registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
        ) -> Service? {
            isOpen.value ? registration.instantiate(resolver: resolver, args: args) : nil
        }

        func reset() {}
    }

    @Test func `a scope may decline to create a service`() throws {
        let scope = OpeningHours()
        let made = Box(0)
        let resolver = Resolver()
        resolver.register { made.increment() }.scope(scope)
        #expect(resolver.optional(Int.self) == nil)
        let error = try #require(throws: ResolutionError.self) { try resolver.tryResolve(Int.self) }
        #expect(error.code == .scopeDeclined)
        #expect(made.value == 0)
        scope.isOpen.set(true)
        #expect(resolver.optional(Int.self) == 1)
    }
}
