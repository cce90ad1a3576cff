import Resolver
import Testing

@globalActor private actor Annex { static let shared = Annex() }

@Suite struct AsyncIsolationTests {
    private let resolver = Resolver()

    @Test func `the error of a parameter whose factory on an actor returns nil is that of its factory`() async {
        final class Owner: Sendable { init(_ leaf: Leaf) async {} }
        resolver.register(Leaf.self) { @MainActor in nil }
        resolver.autoregister(Owner.init)
        await expect(resolver.asyncFailure(Owner.self)?.code, is: .factoryReturnedNil)
    }

    @Test func `a service that moves to another actor during a call is created on that actor`() async throws {
        let resolver = resolver, hasMoved = Box(false)
        let move = CallbackScope { _ in
            if hasMoved.exchange(true) { return }
            resolver.register { @Annex () in Leaf(after: Annex.shared.assertIsolated()) }.scope(.cached)
        }
        resolver.register { @Vault in Leaf() }.scope(move)
        let leaf: Leaf = try await resolver.resolveAsync()
        try expect(resolver.tryResolve(Leaf.self) === leaf)
    }

    @Test func `an asynchronous factory runs on its actor and its property block on another`() async throws {
        let notes = Box<[String]>([])
        resolver.register { @Vault () async -> Leaf in
            Vault.shared.assertIsolated()
            await Task.yield()
            Vault.shared.assertIsolated()
            return Leaf(after: notes.append("made"))
        }.resolveProperties { @Annex _, _ in
            Annex.shared.assertIsolated()
            notes.append("completed")
        }
        _ = try await resolver.resolveAsync(Leaf.self)
        expect(notes.value, is: ["made", "completed"])
    }

    @Test(arguments: [ResolverScope.unique, .graph, ResolverScopeCache()])
    func `the caller continues on its actor after a call`(_ scope: ResolverScope) async {
        resolver.register { @Annex in Leaf() }.scope(scope)
        resolver.register(name: "asynchronous") { await yielding(Leaf()) }.scope(scope)
        resolver.register(name: "throws") { () async throws -> Leaf in throw await yielding(Failure()) }.scope(scope)
        await Task { @Vault in
            for name in [nil, "asynchronous", "throws"] as [Resolver.Name?] {
                _ = try? await resolver.resolveAsync(Leaf.self, name: name)
                Vault.shared.assertIsolated()
            }
        }.value
    }
}
