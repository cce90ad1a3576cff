import Resolver
import Testing

@Suite struct ScopeActorTests {
    @MainActor private final class Panel { init() { MainActor.preconditionIsolated() } }

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
