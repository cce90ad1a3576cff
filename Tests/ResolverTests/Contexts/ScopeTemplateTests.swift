import Resolver
import Testing

/// What is registered for all scopes of a kind: by `scoped(to:)`, and where no scope is current.
@Suite struct ScopeTemplateTests {
    /// Registered for all, so other tests would find it.
    final class Service: Sendable {}

    @Test(arguments: [false, true])
    func `a service registered without a scope is created once for each later scope and events report it`(
        _ isAsync: Bool
    ) async throws {
        let kind = ScopeKind("template, too early \(isAsync)", rank: 10, binding: .execution), log = ScopeLog(kind)
        if isAsync {
            await Resolver.registerAsyncScoped(Service.self, scope: kind) { Service() }
        } else {
            await Resolver.registerScoped(Service.self, scope: kind) { Service() }
        }
        @Sendable func resolveTwice() async throws -> [Service] {
            guard isAsync else { return [Resolver.resolve(), Resolver.resolve()] }
            return [try await Resolver.resolveAsync(), try await Resolver.resolveAsync()]
        }
        let early = try await resolveTwice()
        #expect(early[0] !== early[1])
        let service = "ResolverTests.ScopeTemplateTests.Service"
        let report = ScopeEvent.resolvedWithoutScope(kind, service: service)
        #expect(log.events == [.registeredWithoutScope(kind, service: service), report, report])
        let first = try await Resolver.withScope(kind, id: "1", resolveTwice)
        let second = try await Resolver.withScope(kind, id: "2", resolveTwice)
        #expect(first[0] === first[1])
        #expect(second[0] === second[1])
        #expect(first[0] !== second[0])
    }

    @Test func `a registration on a resolver inside a scope outlives the scope`() {
        let resolver = Resolver()
        Resolver.withScope(.request, id: "1") {
            _ = resolver.register { Leaf() }.scoped(to: .request)
        }
        #expect(Resolver.withScope(.request, id: "2") { resolver.optional(Leaf.self) } != nil)
    }
}
