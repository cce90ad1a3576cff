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

    private final class OfTheVault: Sendable {}

    /// Has no isolation of its own, and no closure in it has.
    private final class Clerk {
        private let resolver = Resolver()
        private(set) var papers = 0

        init() { resolver.register { @Vault in OfTheVault() } }

        private var isInTheVault: Bool { (try? resolver.tryResolve(OfTheVault.self)) != nil }

        private nonisolated(nonsending) func work() async -> Bool {
            papers += 1
            await Task.yield()
            papers += 1
            return isInTheVault
        }

        /// Returns whether the code at a place, and the code after it, stays on the actor.
        nonisolated(nonsending) func stays(_ place: Place) async throws -> [Bool] {
            try await run(place) + [isInTheVault]
        }

        private nonisolated(nonsending) func run(_ place: Place) async throws -> [Bool] {
            let kind = ScopeKind("staying", rank: 11, binding: place == .replacement ? .process : .execution)
            switch place {
            case .scope: return [await Resolver.withScope(kind, id: "1") { await work() }]
            case .boundary: return [await ScopeContext.boundary { await work() }]
            case .handle:
                let handle = ScopeContext.shared.open(kind, id: "2")
                defer { handle.end() }
                return [await handle.run { await work() }]
            case .replacement:
                defer { ScopeContext.shared.clear(kind) }
                return [try await ScopeContext.shared.replaceCurrent(kind, id: "3") { await work() }]
            case .otherRoot:
                let inRoot = await Resolver.withRoot(resolver) { await work() }
                return [inRoot, isInTheVault, await resolver.run { await work() }]
            case .throwing:
                var inside: [Bool] = []
                try? await Resolver.withRoot(resolver) { () async throws(CancellationError) in
                    inside = [await work()]
                    throw CancellationError()
                }
                return inside
            case .completion:
                // The block that completes an instance runs after its asynchronous factory.
                let asked = Box<[Bool]>([])
                resolver.register { () async -> Leaf in Leaf(after: await Task.yield()) }.scope(.unique)
                    .resolveProperties { r, _ in asked.append((try? r.tryResolve(OfTheVault.self)) != nil) }
                _ = try await resolver.resolveAsync(Leaf.self)
                return asked.value
            }
        }
    }

    /// Code of no actor that runs on that of its caller is still there after it was suspended.
    enum Place: CaseIterable { case scope, boundary, handle, replacement, otherRoot, throwing, completion }

    @Test(arguments: Place.allCases) @Vault
    func `code of no actor stays on the actor of its caller`(_ place: Place) async throws {
        let stays = try await Clerk().stays(place)
        expect(stays, is: Array(repeating: true, count: place == .otherRoot ? 4 : 2))
    }
}
