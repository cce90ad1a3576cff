import Resolver
import Testing

/// Instances that stay until the cache is reset or their container is released.
@Suite struct CachedScopeTests {
    private final class MyViewModel: Sendable {}

    /// Returns a container with the registrations of an app.
    private static func container() -> Resolver {
        let resolver = Resolver()
        resolver.register { MyViewModel() }.scope(.cached)
        return resolver
    }

    @Test func `a reset of the cached scope leaves the instances of other scopes`() {
        let session = ResolverScopeCache()
        let resolver = Resolver()
        let others: [(name: Resolver.Name, scope: ResolverScope)] = [
            ("application", .application), ("container", .container), ("shared", .shared), ("session", session),
        ]
        for (name, scope) in others { resolver.register(name: name) { Leaf() }.scope(scope) }
        resolver.register(name: "cached") { Leaf() }.scope(.cached)
        let before = others.map { resolver.resolve(Leaf.self, name: $0.name) }
        let cached: Leaf = resolver.resolve(name: "cached")
        resolver.reset(scope: .cached)
        #expect(resolver.resolve(Leaf.self, name: "cached") !== cached)
        for (old, other) in zip(before, others) {
            #expect(resolver.resolve(Leaf.self, name: other.name) === old, "\(other.name.rawValue)")
        }
    }

    @Test func `resetting all scopes of a container keeps its registrations and other containers`() {
        let session = ResolverScopeCache()
        let alive = Box(0)
        let resolver = Resolver(), other = Resolver()
        let scopes: [(name: Resolver.Name, scope: ResolverScope)] = [
            ("cached", .cached), ("container", .container), ("session", session),
        ]
        for (name, scope) in scopes { resolver.register(name: name) { Counted(alive) }.scope(scope) }
        other.register { Leaf() }.scope(session)
        let others: Leaf = other.resolve()
        for (name, _) in scopes { _ = resolver.resolve(Counted.self, name: name) }
        #expect(alive.value == 3)
        resolver.reset(.scopes)
        #expect(alive.value == 0)
        for (name, _) in scopes { #expect(resolver.optional(Counted.self, name: name) != nil) }
        #expect(other.resolve(Leaf.self) === others)
    }

    @Test func `the call after a reset creates one new cached instance`() {
        let container = CachedScopeTests.container()
        let before: MyViewModel = container.resolve()
        container.reset(scope: .cached)
        let after: MyViewModel = container.resolve()
        #expect(after !== before)
        #expect(container.resolve(MyViewModel.self) === after)
    }

    @Test func `a reset of the scope reaches every container`() async {
        await #expect(processExitsWith: .success) {
            let containers = [CachedScopeTests.container(), CachedScopeTests.container()]
            let alive = Box(0)
            for container in containers {
                container.register { Counted(alive) }.scope(.cached)
                _ = container.resolve(Counted.self)
            }
            Child.require(alive.value == 2, "only the container holds the two that are kept")
            ResolverScope.cached.reset()
            Child.require(alive.value == 0, "they are released")
            for container in containers { _ = container.resolve(Counted.self) }
            withExtendedLifetime(containers) { Child.require(alive.value == 2, "and made anew") }
        }
    }
}
