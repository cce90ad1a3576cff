import Resolver
import Testing

/// Instances that stay until the cache is reset or their container is released.
@Suite struct CachedScopeTests {
    @Test func `a reset of the scope reaches every container`() async {
        await #expect(processExitsWith: .success) {
            let alive = Box(0)
            let containers = [Resolver(), Resolver()]
            for container in containers {
                container.register { Counted(alive) }.scope(.cached)
                _ = container.resolve(Counted.self)
            }
            Child.require(alive.value == 2, "only the scope references the two instances")
            ResolverScope.cached.reset()
            Child.require(alive.value == 0, "they are released")
            for container in containers { _ = container.resolve(Counted.self) }
            withExtendedLifetime(containers) { Child.require(alive.value == 2, "and created anew") }
        }
    }
}
