import Resolver
import Testing

/// A nested error, across any number of creation tasks, reaches the caller with the whole path.
@Suite struct AsyncErrorPathTests {
    /// x, created for its caller, needs a; a needs b; b needs c. Creation tasks create a and b.
    private func resolver() -> Resolver {
        let resolver = Resolver(), cache = ResolverScopeCache()
        for (line, (name, next)) in [("x", "a"), ("a", "b"), ("b", "c")].enumerated() {
            resolver.register(name: .init(name)) { r -> Leaf in
                try await r.resolveAsync(name: .init(next), fileID: "Shop/Way.swift", line: UInt(line + 1))
            }.scope(name == "x" ? .unique : cache)
        }
        return resolver
    }

    private func expect(
        _ error: ResolutionError?, _ code: ResolutionError.Code, _ path: [String] = ["x", "a", "b", "c"],
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) {
        #expect(error?.code == code, sourceLocation: sourceLocation)
        #expect(error?.path.map(\.name) == path, sourceLocation: sourceLocation)
    }

    @Test func `a factory's error is the underlying error at any depth`() async {
        let resolver = resolver()
        for scope in [ResolverScope.unique, .graph, ResolverScopeCache()] {
            resolver.register(name: "c", fileID: "Shop/App.swift", line: 9) { () async throws -> Leaf in
                throw await yielding(Failure(number: 7))
            }.scope(scope)
            let error = await resolver.asyncFailure(Leaf.self, name: "x")
            expect(error, .factoryFailed)
            #expect(error?.underlying as? Failure == Failure(number: 7))
            #expect(error?.name == "c")
            #expect(error?.callSite.map { "\($0)" } == "Shop/Way.swift:3")
        }
    }

    @Test func `a nil of a nested factory is an error with the whole path`() async throws {
        let resolver = resolver()
        resolver.register(Leaf.self, name: "c") { await yielding(nil) }.scope(ResolverScopeCache())
        expect(await resolver.asyncFailure(Leaf.self, name: "x"), .factoryReturnedNil)
        #expect(try await resolver.optionalAsync(Leaf.self, name: "c") == nil)
        await #expect(throws: ResolutionError.self) { try await resolver.optionalAsync(Leaf.self, name: "x") }
    }

    @Test func `the path includes a synchronous factory between two creation tasks`() async throws {
        let resolver = Resolver(), cache = ResolverScopeCache()
        resolver.register(name: "a") { r -> Leaf in try await yielding(r.tryResolve(Leaf.self, name: "middle")) }
            .scope(cache)
        resolver.register(name: "middle") { r -> Leaf in try r.tryResolve(Leaf.self, name: "b") }
        resolver.register(name: "b") { await yielding(Leaf()) }.scope(cache)
        expect(await resolver.asyncFailure(Leaf.self, name: "a"), .requiresAsync, ["a", "middle", "b"])
        _ = try await resolver.resolveAsync(Leaf.self, name: "b")
        #expect(await resolver.asyncFailure(Leaf.self, name: "a") == nil)
    }
}
