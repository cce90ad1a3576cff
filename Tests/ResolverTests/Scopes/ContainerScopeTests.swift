import Resolver
import Testing

/// Instances in the cache of the resolver that registered them.
@Suite struct ContainerScopeTests {
    @Test func `resetting a resolver's cache releases its container instances only`() {
        let resolver = Resolver()
        resolver.register { Leaf() }.scope(.container)
        resolver.register { OtherLeaf() }.scope(.cached)
        weak let first = resolver.resolve(Leaf.self)
        let cached: OtherLeaf = resolver.resolve()
        #expect(first != nil)
        resolver.cache.reset()
        #expect(first == nil)
        #expect(resolver.resolve(OtherLeaf.self) === cached)
    }

    @Test func `resetting a parent leaves the container instance of its child`() {
        weak var instance: Leaf?
        let inner = Resolver()
        inner.register { Leaf() }.scope(.container)
        do {
            let outer = Resolver(child: inner)
            instance = outer.resolve(Leaf.self)
            outer.reset(.all)
            outer.cache.reset()
        }
        #expect(instance != nil)
        inner.reset(scope: .container)
        #expect(instance == nil)
    }

    @Test func `a cache shared by two resolvers has an instance for each`() {
        let common = ResolverScopeCache()
        let resolvers = [Resolver(), Resolver()]
        for resolver in resolvers {
            resolver.cache = common
            resolver.register { Leaf() }.scope(.container)
        }
        let instances = resolvers.map { $0.resolve(Leaf.self) }
        #expect(instances[0] !== instances[1])
        common.reset()
        for (resolver, old) in zip(resolvers, instances) { #expect(resolver.resolve(Leaf.self) !== old) }
    }

    @Test func `a reset of the container scope reaches a replaced cache`() {
        let resolver = Resolver()
        resolver.cache = ResolverScopeCache()
        resolver.register { Leaf() }.scope(.container)
        let first: Leaf = resolver.resolve()
        resolver.reset(scope: .container)
        #expect(resolver.resolve(Leaf.self) !== first)
    }

    @Test func `alternating caches of a resolver, which may be any scopes, each keep their instance`() {
        let resolver = Resolver()
        resolver.register { Leaf() }.scope(.container)
        let caches = (0..<4).map { _ in ResolverScopeCache() }
        let turn = {
            caches.map { cache -> Leaf in
                resolver.cache = cache
                return resolver.resolve()
            }
        }
        let first = turn()
        #expect(Set(first.map { ObjectIdentifier($0) }).count == caches.count)
        #expect(zip(first, turn()).allSatisfy { $0 === $1 })
        resolver.cache = ResolverScope.unique
        #expect(resolver.resolve(Leaf.self) !== resolver.resolve(Leaf.self))
    }

    @Test func `a cache of a user's class keeps the container instances`() throws {
        let resolver = Resolver(), cache = CountingCache()
        resolver.cache = cache
        resolver.register { Leaf() }.scope(.container)
        let leaf = try resolver.tryResolve(Leaf.self)
        #expect(try resolver.tryResolve(Leaf.self) === leaf)
        #expect(cache.asked.value == 2)
    }

    @Test func `a cache of a user's class keeps an asynchronous container instance`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let resolver = Resolver()
            resolver.cache = CountingCache()
            resolver.register { () async in Leaf() }.scope(.container)
            let leaf = try await resolver.resolveAsync(Leaf.self)
            Child.require(try await resolver.resolveAsync(Leaf.self) === leaf, "it is kept")
        }
    }

    private struct Filling: Sendable {
        let resolver = Resolver(), start = StartLine(2)
        let registration: ResolverRegistration<Leaf>
        /// Retained, because it keeps its instance that long.
        let old: ResolverScope
        let new = ResolverScopeCache()

        init() {
            let options = resolver.register { [start] () -> Leaf in
                start.wait()
                return Leaf()
            }
            registration = options.scope(.container).registration
            old = resolver.cache
        }
    }

    /// The first call publishes its instance to the fast path, which must not lead to the replaced cache.
    @Test
    func `a resolver uses its new cache even if the old cache was filled concurrently`() {
        let rounds = (0..<1000).map { _ in Filling() }
        Threads.run(
            { for round in rounds { _ = round.resolver.resolve(Leaf.self) } },
            {
                for (number, round) in rounds.enumerated() {
                    round.start.wait()
                    for _ in 0..<number % 500 { round.start.wait() }
                    round.resolver.cache = round.new
                }
            })
        let strangers = rounds.count { round in
            let found: Leaf = round.resolver.resolve()
            return found !== round.new.existing(registration: round.registration, resolver: round.resolver)
        }
        #expect(strangers == 0)
    }
}
