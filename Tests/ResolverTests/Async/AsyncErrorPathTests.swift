import Resolver
import Testing

/// A nested error, across any number of creation tasks, reaches each waiter with its own path.
@Suite struct AsyncErrorPathTests {
    /// x and y, created for their callers, need a; a needs b; b needs c. Creation tasks create a and b.
    private func resolver(
        beforeC: @escaping @Sendable () async -> Void = {},
        aroundA: @escaping @Sendable (Resolver.Name, Resolver) async throws -> Leaf = { name, resolver in
            try await resolver.resolveAsync(Leaf.self, name: "a", fileID: "Shop/Way.swift", line: 1)
        }
    ) -> Resolver {
        let resolver = Resolver(), cache = ResolverScopeCache()
        for name in ["x", "y"] {
            resolver.register(name: .init(name)) { r in try await aroundA(.init(name), r) }.scope(.unique)
        }
        resolver.register(name: "a") { r -> Leaf in
            try await r.resolveAsync(Leaf.self, name: "b", fileID: "Shop/Way.swift", line: 2)
        }.scope(cache)
        resolver.register(name: "b") { r -> Leaf in
            await beforeC()
            return try await r.resolveAsync(Leaf.self, name: "c", fileID: "Shop/Way.swift", line: 3)
        }.scope(cache)
        return resolver
    }

    private func expect(
        _ error: ResolutionError?, _ code: ResolutionError.Code, _ path: [String] = ["x", "a", "b", "c"],
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) {
        #expect(error?.code == code, sourceLocation: sourceLocation)
        #expect(error?.path.map(\.name) == path, sourceLocation: sourceLocation)
    }

    @Test func `each waiter for a creation task gets an error with its own path`() async {
        let creationRuns = Gate(), secondWaits = Gate(), runs = Box(0)
        let resolver = resolver {
            runs.increment()
            creationRuns.open()
            await secondWaits.pass()
        } aroundA: { name, resolver in
            try await SuspensionProbe.opening(name == "y" ? secondWaits : Gate()) {
                try await resolver.resolveAsync(Leaf.self, name: "a")
            }
        }
        async let x = resolver.asyncFailure(Leaf.self, name: "x")
        await creationRuns.pass()
        expect(await resolver.asyncFailure(Leaf.self, name: "y"), .notRegistered, ["y", "a", "b", "c"])
        expect(await x, .notRegistered)
        #expect(runs.value == 1)
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

    @Test func `the next call tries again after an error`() async throws {
        let resolver = resolver()
        #expect(await resolver.asyncFailure(Leaf.self, name: "x") != nil)
        resolver.register(name: "c") { Leaf() }
        let x = try await resolver.resolveAsync(Leaf.self, name: "x")
        #expect(x === resolver.existing(Leaf.self, name: "a"))
    }
}
