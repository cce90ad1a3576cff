import Resolver
import Testing

@Suite struct ScopedRegistrationTests {
    @Test func `an instance resolved during a second registration is kept`() {
        Resolver.withScope(.request, id: "1") {
            let inHook = Box<Leaf?>(nil)
            let options = Resolver.registerScoped(Leaf.self, scope: .request) { Leaf() }
            options.onRelease { (_: Leaf) in inHook.set(Resolver.resolve(Leaf.self)) }
            _ = Resolver.resolve(Leaf.self)
            // The hook runs when the other registration is there, and before this returns.
            Resolver.registerScoped(Leaf.self, scope: .request) { Leaf() }
            expect(inHook.value != nil)
            expect(Resolver.resolve(Leaf.self) === inHook.value)
        }
    }

    @Test(.ownResolver) func `a service that a session registers for its requests is kept by each request`() {
        let alive = Box(0), session = ScopeContext.shared.open(.session, id: "Ada")
        let log = ScopeLog(.request, .session)
        session.register { Counted(alive) }?.scoped(to: .request)
        session.run {
            for id in ["1", "2"] {
                Resolver.withScope(.request, id: id) {
                    let first: Counted = Resolver.resolve()
                    expect(Resolver.resolve(Counted.self) === first)
                    expect(Resolver.existing(Counted.self) === first)
                }
                expect(alive.value, is: 0, "the request releases it")
            }
        }
        let request = ScopeContext.shared.open(.request, id: "3")
        request.run { session.run { _ = Resolver.resolve(Counted.self) } }
        expect(alive.value, is: 1)
        session.end()
        expect(alive.value, is: 0, "the registration ends with the session")
        request.end()
        let unkept = log.events.contains { if case .resolvedInEndedScope = $0 { true } else { false } }
        expect(!unkept)
    }

    @Test(.ownResolver) func `what a request registers for the session ends with the request`() {
        let alive = Box(0), session = ScopeContext.shared.open(.session, id: "Ada")
        session.run {
            Resolver.withScope(.request, id: "1") {
                ScopeContext.shared.current(.request)?.register { Counted(alive) }?.scoped(to: .session)
                expect(Resolver.resolve(Counted.self) === Resolver.resolve(Counted.self))
                expect(alive.value, is: 1)
            }
            expect(alive.value, is: 0)
            expect(session.instanceCount, is: 0)
        }
    }

    @Test func `an alias of a scope that stands for itself is a dependency cycle, whatever the resolver has`() {
        let resolver = Resolver()
        resolver.register { Leaf() }
        Resolver.withScope(.request, id: "1") {
            Resolver.registerScoped(Leaf.self, scope: .request) { Leaf() }.implements(Leaf.self)
            expect(resolver.failure(Leaf.self)?.code, is: .circularDependency)
        }
        expect(resolver.failure(Leaf.self) == nil)
    }

    @Test(arguments: [false, true])
    func `a scope's own registration comes before an alias whenever the alias is registered`(_ isAliasFirst: Bool) {
        final class Own: Role, Sendable {}
        let kind = ScopeKind("before an alias \(isAliasFirst)", rank: 10, binding: .execution), resolver = Resolver()
        func registerAlias() { resolver.register { Player() }.implements((any Role).self).scope(.cached) }
        func expectType(_ expected: AnyObject.Type) {
            for _ in 0..<3 { expect(type(of: resolver.resolve((any Role).self) as AnyObject) == expected) }
        }
        if isAliasFirst { registerAlias() }
        for id in ["1", "2"] {
            if isAliasFirst { expectType(Player.self) }
            Resolver.withScope(kind, id: id) {
                Resolver.registerScoped((any Role).self, scope: kind) { Own() }
                if id == "1", !isAliasFirst { registerAlias() }
                expectType(Own.self)
            }
            expectType(Player.self)
        }
    }

    @Test(.ownResolver, arguments: [false, true])
    func `a service registered too early is made once for each later scope and reported`(_ isAsync: Bool) async throws {
        let kind = ScopeKind("template, too early \(isAsync)", rank: 10, binding: .execution), log = ScopeLog(kind)
        if isAsync {
            await Resolver.registerAsyncScoped(Leaf.self, scope: kind) { Leaf() }
        } else {
            await Resolver.registerScoped(Leaf.self, scope: kind) { Leaf() }
        }
        @Sendable func resolveTwice() async throws -> [Leaf] {
            try await [Resolver.resolveAsync(), Resolver.resolveAsync()]
        }
        let early = try await resolveTwice()
        expect(early[0] !== early[1])
        let service = "ResolverTests.Leaf", report = ScopeEvent.resolvedWithoutScope(kind, service: service)
        expect(log.events, is: [.registeredWithoutScope(kind, service: service), report, report])
        let first = try await Resolver.withScope(kind, id: "1", resolveTwice)
        let second = try await Resolver.withScope(kind, id: "2", resolveTwice)
        expect(first[0] === first[1] && second[0] === second[1] && first[0] !== second[0])
    }
}
