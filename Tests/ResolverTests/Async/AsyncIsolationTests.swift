import Resolver
import Testing

@globalActor private actor Annex { static let shared = Annex() }

@Suite struct AsyncIsolationTests {
    private let resolver = Resolver(), runs = Box(0)

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
            notes.append("made")
            return Leaf()
        }.resolveProperties { @Annex _, _ in
            Annex.shared.assertIsolated()
            notes.append("completed")
        }
        _ = try await resolver.resolveAsync(Leaf.self)
        expect(notes.value, is: ["made", "completed"])
    }

    @Test(arguments: [ResolverScope.unique, .graph, ResolverScopeCache()])
    func `the caller continues on its actor after a call`(_ scope: ResolverScope) async throws {
        resolver.register { @Annex in Leaf() }.scope(scope)
        resolver.register { await yielding(OtherLeaf()) }.scope(scope)
        resolver.register(name: "throws") { () async throws -> Leaf in throw await yielding(Failure()) }.scope(scope)
        try await Task { @Vault in
            _ = try await resolver.resolveAsync(Leaf.self)
            Vault.shared.assertIsolated()
            _ = try await resolver.resolveAsync(OtherLeaf.self)
            Vault.shared.assertIsolated()
            _ = try? await resolver.resolveAsync(Leaf.self, name: "throws")
            Vault.shared.assertIsolated()
        }.value
    }

    @Test func `an asynchronous factory resolves a service of another actor`() async throws {
        resolver.register(name: "vault") { @Vault in Leaf() }.scope(.unique)
        resolver.register(name: "annex") { @Annex in Leaf() }.scope(.unique)
        resolver.register { @Vault [runs] r -> [Leaf] in
            runs.increment()
            return [try r.tryResolve(name: "vault"), try await r.resolveAsync(name: "annex")]
        }
        try await expect(resolver.resolveAsync([Leaf].self).count, is: 2)
        expect(runs.value, is: 1)
    }
}
