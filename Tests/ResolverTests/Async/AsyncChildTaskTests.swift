import Resolver
import Testing

/// Child tasks of a factory: their calls are on the factory's path.
@Suite struct AsyncChildTaskTests {
    @Test(arguments: [ResolverScope.unique, .graph, ResolverScopeCache()])
    func `an error about a missing service in a child task includes its parents`(_ scope: ResolverScope) async {
        let resolver = Resolver()
        for (name, next) in [("a", "b"), ("b", "missing")] {
            resolver.register(name: .init(name)) { r -> Leaf in
                async let leaf = r.resolveAsync(Leaf.self, name: .init(next))
                return try await leaf
            }.scope(name == "b" ? scope : .graph)
        }
        let error = await resolver.asyncFailure(Leaf.self, name: "a")
        #expect(error?.code == .notRegistered)
        #expect(error?.path.map(\.name) == ["a", "b", "missing"])
    }

    @Test func `an unstructured task has a path of its own`() async {
        let resolver = Resolver()
        resolver.register(name: "b") { r -> Leaf in try await r.resolveAsync(Leaf.self, name: "missing") }
        resolver.register(name: "a") { r -> Leaf in
            try await Task { try await r.resolveAsync(Leaf.self, name: "b") }.value
        }
        #expect(await resolver.asyncFailure(Leaf.self, name: "a")?.path.map(\.name) == ["b", "missing"])
    }

    @Test func `a factory may resolve its own service in an unstructured task that it does not await`() async throws {
        let started = Box<Task<Leaf, any Error>?>(nil)
        let resolver = Resolver()
        resolver.register { r -> Leaf in
            started.set(Task { try await r.resolveAsync(Leaf.self) })
            return await yielding(Leaf())
        }.scope(ResolverScopeCache())
        let leaf = try await resolver.resolveAsync(Leaf.self)
        #expect(try await started.value?.value === leaf)
    }
}
