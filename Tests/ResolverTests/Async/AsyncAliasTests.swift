import Resolver
import Testing

/// `.implements` of asynchronous services.
@Suite struct AsyncAliasTests {
    private let resolver = Resolver(), runs = Box(0)

    private func register(_ scope: ResolverScope) {
        resolver.register(name: "real") { [runs] in await yielding(runs.counting(Player())) }
            .implements((any Role).self).implements((any SecondRole).self, name: "second").scope(scope)
    }

    @Test(arguments: [ResolverScopeCache(), ResolverScope.container, ResolverScopeShare()])
    func `every call returns a cached instance under all its types`(_ scope: ResolverScope) async throws {
        register(scope)
        #expect(resolver.failure((any Role).self)?.code == .requiresAsync)
        let role = try await resolver.resolveAsync((any Role).self)
        #expect(resolver.existing((any SecondRole).self, name: "second") === role)
        #expect(resolver.resolve((any SecondRole).self, name: "second") === role)
        #expect(resolver.resolve((any Role).self) === role)
        #expect(resolver.resolve(Player.self, name: "real") === role)
        #expect(try await resolver.resolveAsync((any SecondRole).self, name: "second") === role)
        #expect(try await resolver.optionalAsync(Player.self, name: "real") === role)
        #expect(runs.value == 1)
        resolver.register(name: "real") { Player() }
        #expect(resolver.resolve((any Role).self) !== role)
    }

    @Test func `an alias of an alias resolves to the original service`() async throws {
        register(ResolverScopeCache())
        resolver.register { r -> any SecondRole in try await r.resolveAsync(Player.self, name: "real") }
            .implements((any Role).self, name: "far")
        let far = try await resolver.resolveAsync((any Role).self, name: "far")
        #expect(far === resolver.existing(Player.self, name: "real"))
        #expect(runs.value == 1)
    }

    @Test func `the decorator sees a service once per call and an alias twice`() async {
        await #expect(processExitsWith: .success) {
            let seen = Box<[String]>([])
            Resolver.decorate = { seen.append("\(type(of: $0))") }
            for scope in [ResolverScope.unique, ResolverScopeCache()] {
                let resolver = Resolver()
                resolver.register { await yielding(Player()) }.implements((any Role).self).scope(scope)
                _ = try await resolver.resolveAsync(Player.self)
                #expect(seen.exchange([]) == ["Player"])
                _ = try await resolver.resolveAsync((any Role).self)
                #expect(seen.exchange([]) == ["Player", "Player"])
            }
        }
    }
}
