import Resolver
import Testing

@Suite struct ScopeActorTests {
    @MainActor private final class Panel { init() { MainActor.preconditionIsolated() } }

    private actor Server {
        let resolver: Resolver, kind: ScopeKind

        init(_ name: String) {
            (resolver, kind) = (Resolver(), ScopeKind.ofTest(name))
            resolver.register { Leaf() }.scoped(to: kind)
        }

        /// Others get a turn while it is suspended, and set theirs.
        func serveByHand(_ id: String) async -> Bool {
            ScopeContext.shared.setCurrent(kind, id: id)
            defer { ScopeContext.shared.clear(kind) }
            let leaf: Leaf = resolver.resolve()
            for _ in 0..<3 { await Task.yield() }
            return ScopeContext.shared.currentID(for: kind) == id && resolver.resolve(Leaf.self) === leaf
        }
    }

    @Test func `interleaved calls of one actor have separate scopes`() async throws {
        let server = Server("turns")
        try await expect(Tasks.results(50) { await server.serveByHand("\($0)") }.allSatisfy { $0 })
        expect(!ScopeContext.shared.openScopes().contains { $0.kind == server.kind })
    }

    @Test(arguments: [ContextForm.template, .handle])
    func `a main-actor service is created by asynchronous calls and kept for all`(_ form: ContextForm) async throws {
        let resolver = Resolver(), kind = ScopeKind.ofTest("elsewhere, \(form)")
        let scope = ScopeContext.shared.open(kind, id: "1")
        defer { scope.end() }
        if form == .template {
            resolver.register { @MainActor in Panel() }.scoped(to: kind)
        } else {
            scope.register { @MainActor in Panel() }
        }
        try await scope.run {
            expect(resolver.failure(Panel.self)?.code, is: .wrongIsolation)
            let panel: Panel = try await resolver.resolveAsync()
            try expect(resolver.tryResolve(Panel.self) === panel)
            let onTheMainActor = await Task { @MainActor in resolver.resolve(Panel.self) }.value
            expect(onTheMainActor === panel)
            if form == .handle { try await expect(scope.resolveAsync(Panel.self) === panel) }
        }
    }

    @Test @MainActor func `a registration by synchronous code for the scope may belong to an actor`() {
        final class Model {}
        Resolver.withScope(.request, id: "main") {
            Resolver.registerScoped(Model.self, scope: .request) { @MainActor in Model() }
            expect(Resolver.resolve(Model.self) === Resolver.resolve(Model.self))
        }
    }
}
