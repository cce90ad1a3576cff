import Resolver
import Testing

@Suite struct ContainerScopeTests {
    @Test func `a cache shared by two resolvers has an instance for each and is reset for one or for both`() {
        let common = ResolverScopeCache(), resolvers = [Resolver(), Resolver()]
        for resolver in resolvers {
            resolver.cache = common
            resolver.register { Leaf() }.scope(.container)
        }
        let resets: [(reset: () -> Void, isKept: [Bool])] = [
            ({}, [true, true]), ({ resolvers[0].reset(scope: common) }, [false, true]),
            ({ resolvers[1].reset(scope: .container) }, [true, false]), ({ common.reset() }, [false, false]),
        ]
        for (reset, isKept) in resets {
            let instances = resolvers.map { $0.resolve(Leaf.self) }
            expect(instances[0] !== instances[1])
            reset()
            expect(zip(resolvers, instances).map { $0.existing(Leaf.self) === $1 }, is: isKept)
            expect(zip(resolvers, instances).map { $0.resolve(Leaf.self) === $1 }, is: isKept)
        }
    }

    @Test func `alternating caches of a resolver, which may be any scopes, each keep and release their instance`() {
        let resolver = Resolver()
        let registration = resolver.register { Leaf() }.scope(.container).registration
        let caches = (0..<4).map { _ in ResolverScopeCache() }
        let turn = {
            caches.map { cache -> Leaf in
                resolver.cache = cache
                return resolver.resolve()
            }
        }
        let first = turn()
        expect(Set(first.map { ObjectIdentifier($0) }).count, is: caches.count)
        expect(zip(first, turn()).allSatisfy { $0 === $1 })
        caches[1].release(registration)
        expect(zip(first, turn()).map { $0 === $1 }, is: [true, false, true, true])
        for cache in [ResolverScope.unique, ResolverScopeShare()] {
            resolver.cache = cache
            weak let released = resolver.resolve(Leaf.self)
            expect(released, is: nil)
        }
    }

    private struct Filling: Sendable {
        let resolver = Resolver(), start = StartLine(2)
        let registration: ResolverRegistration<Leaf>
        /// Retained, because it keeps its instance that long.
        let old: ResolverScope
        let new = ResolverScopeCache()

        init() {
            let options = resolver.register { [start] () in Leaf(after: start.wait()) }
            registration = options.scope(.container).registration
            old = resolver.cache
        }
    }

    /// The first call publishes its instance to the fast path, which must not lead to the replaced cache.
    @Test func `a resolver uses its new cache even if the old cache was filled concurrently`() {
        let rounds = (0..<1000).map { _ in Filling() }
        Threads.run {
            for round in rounds { _ = round.resolver.resolve(Leaf.self) }
        } beside: {
            for (number, round) in rounds.enumerated() {
                round.start.wait()
                for _ in 0..<number % 500 { round.start.wait() }
                round.resolver.cache = round.new
            }
        }
        let different = rounds.count { round in
            let found: Leaf = round.resolver.resolve()
            return found !== round.new.existing(registration: round.registration, resolver: round.resolver)
        }
        expect(different, is: 0)
    }
}
