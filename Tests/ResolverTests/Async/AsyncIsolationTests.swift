import Resolver
import Testing

@globalActor private actor Vault { static let shared = Vault() }
@globalActor private actor Annex { static let shared = Annex() }

/// The isolation of factories and callers in asynchronous calls.
@Suite struct AsyncIsolationTests {
    @Test(arguments: [ResolverScope.unique, .graph, ResolverScopeCache()])
    func `an isolated factory runs once on its actor`(_ scope: ResolverScope) async throws {
        let runs = Box(0)
        let resolver = Resolver()
        resolver.register { @Vault () -> Leaf in
            Vault.shared.assertIsolated()
            runs.increment()
            return Leaf()
        }.scope(scope)
        _ = try await resolver.resolveAsync(Leaf.self)
        #expect(runs.value == 1)
    }

    @Test func `a plain service is created on the caller's actor`() async throws {
        let resolver = Resolver()
        resolver.register { () -> Leaf in
            Vault.shared.assertIsolated()
            return Leaf()
        }
        try await Task { @Vault in
            _ = try await resolver.resolveAsync(Leaf.self)
            Vault.shared.assertIsolated()
        }.value
    }

    @Test func `a synchronous factory on one actor with properties on another is an error`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let runs = Box(0)
            let resolver = Resolver()
            resolver.register { @Vault () -> Leaf in
                runs.increment()
                return Leaf()
            }.resolveProperties { @Annex _, _ in }
            let error = await resolver.asyncFailure(Leaf.self)
            Child.require(error?.code == .wrongIsolation, "\(String(describing: error))")
            Child.require(runs.value == 0, "\(runs.value) runs")
        }
    }

    @Test func `an asynchronous factory runs on its actor and its property block on another`()
        async throws
    {
        let resolver = Resolver()
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
        #expect(notes.value == ["made", "completed"])
    }

    @Test(arguments: [ResolverScope.unique, .graph, ResolverScopeCache()])
    func `the caller continues on its actor after a call`(_ scope: ResolverScope) async throws {
        let resolver = Resolver()
        resolver.register { @Annex in Leaf() }.scope(scope)
        resolver.register { () -> OtherLeaf in
            await Task.yield()
            return OtherLeaf()
        }.scope(scope)
        resolver.register(name: "throws") { () -> Leaf in
            await Task.yield()
            throw Failure()
        }.scope(scope)
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
        let resolver = Resolver()
        let runs = Box(0)
        resolver.register(name: "vault") { @Vault in Leaf() }.scope(.unique)
        resolver.register(name: "annex") { @Annex in Leaf() }.scope(.unique)
        resolver.register { @Vault r -> [Leaf] in
            runs.increment()
            return [try r.tryResolve(name: "vault"), try await r.resolveAsync(name: "annex")]
        }
        #expect(try await resolver.resolveAsync([Leaf].self).count == 2)
        #expect(runs.value == 1)
    }
}
