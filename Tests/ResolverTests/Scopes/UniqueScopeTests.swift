import Resolver
import Testing

/// Each call creates a new instance.
@Suite struct UniqueScopeTests {
    @Test func `a unique instance is not cached`() {
        let alive = Box(0)
        let resolver = Resolver()
        resolver.register { Counted(alive) }.scope(.unique)
        let held: Counted = resolver.resolve()
        _ = resolver.resolve(Counted.self)
        #expect(alive.value == 1)
        #expect(resolver.existing(Counted.self) == nil)
        withExtendedLifetime(held) {}
    }

    @Test func `thirty two threads get separate unique instances`() {
        let resolver = Resolver()
        resolver.register { Leaf() }.scope(.unique)
        let got = Box<[Leaf]>([])
        Threads.run(32) { _ in got.append(resolver.resolve()) }
        #expect(Set(got.value.map { ObjectIdentifier($0) }).count == 32)
    }

    @Test func `ResolverScopeUnique is a name of ResolverScope`() {
        #expect(ResolverScopeUnique.self == ResolverScope.self)
        #expect(type(of: ResolverScope.unique) == ResolverScopeUnique.self)
    }
}
