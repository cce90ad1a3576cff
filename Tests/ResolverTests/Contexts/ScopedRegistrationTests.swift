import Resolver
import Testing

/// Registering for the current scope alone.
@Suite struct ScopedRegistrationTests {
    @Test func `an instance resolved during a second registration is kept`() {
        final class Service: Sendable {}
        Resolver.withScope(.request, id: "1") {
            let inHook = Box<Service?>(nil)
            let options = Resolver.registerScoped(Service.self, scope: .request) { Service() }
            options.onRelease { (_: Service) in inHook.set(Resolver.resolve(Service.self)) }
            _ = Resolver.resolve(Service.self)
            // The hook runs when the other registration is there, and before this returns.
            Resolver.registerScoped(Service.self, scope: .request) { Service() }
            #expect(inHook.value != nil)
            #expect(Resolver.resolve(Service.self) === inHook.value)
        }
    }

    // MARK: Where it is found

    @Test func `a scope's own registration comes before that of main also if that is kept and in use`() {
        final class Service: Sendable {}
        Resolver.main.register { Service() }.scope(.cached)
        let mains: Service = Resolver.resolve()
        #expect(Resolver.resolve(Service.self) === mains)
        Resolver.withScope(.request, id: "1") {
            #expect(Resolver.resolve(Service.self) === mains)
            Resolver.registerScoped(Service.self, scope: .request) { Service() }
            #expect(Resolver.resolve(Service.self) !== mains)
            #expect(Resolver.resolve(Service.self) === Resolver.resolve(Service.self))
        }
        #expect(Resolver.resolve(Service.self) === mains)
    }

    @Test func `the shorter lived scope comes first`() {
        struct Label: Sendable {
            let text: String
        }
        Resolver.withScope(.request, id: "1") {
            Resolver.registerScoped(Label.self, scope: .request) { Label(text: "request") }
            Resolver.withScope(.session, id: "user") {
                Resolver.registerScoped(Label.self, scope: .session) { Label(text: "session") }
                #expect(Resolver.resolve(Label.self).text == "request")
            }
        }
    }

    @Test func `a scope's own registration comes before an alias that is registered later`() {
        final class Own: Role, Sendable {}
        let kind = ScopeKind("before an alias", rank: 10, binding: .execution), resolver = Resolver()
        Resolver.withScope(kind, id: "1") {
            Resolver.registerScoped((any Role).self, scope: kind) { Own() }
            resolver.register { Player() }.implements((any Role).self).scope(.cached)
            for _ in 0..<3 { #expect(resolver.resolve((any Role).self) is Own) }
        }
        for _ in 0..<3 { #expect(resolver.resolve((any Role).self) is Player) }
        Resolver.withScope(kind, id: "2") {
            Resolver.registerScoped((any Role).self, scope: kind) { Own() }
            #expect(resolver.resolve((any Role).self) is Own)
        }
    }

    @Test func `a scope's own registration comes before an alias whose hits were answered between two scopes`() {
        final class Own: SecondRole, Sendable {}
        let kind = ScopeKind("between two scopes", rank: 10, binding: .execution), resolver = Resolver()
        resolver.register { Player() }.implements((any SecondRole).self).scope(.cached)
        for id in ["1", "2"] {
            for _ in 0..<3 { #expect(resolver.resolve((any SecondRole).self) is Player) }
            Resolver.withScope(kind, id: id) {
                Resolver.registerScoped((any SecondRole).self, scope: kind) { Own() }
                #expect(resolver.resolve((any SecondRole).self) is Own)
            }
        }
    }
}
