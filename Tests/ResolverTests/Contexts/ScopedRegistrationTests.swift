import Resolver
import Testing

/// Registering for the current scope alone.
@Suite struct ScopedRegistrationTests {
    @Test func `the next statement finds what was registered`() {
        final class Service: Sendable {}
        Resolver.withScope(.request, id: "1") {
            Resolver.registerScoped(Service.self, scope: .request) { Service() }
            #expect(Resolver.optional(Service.self) != nil)
        }
    }

    @Test func `asynchronous code registers in the same way`() async {
        final class Service: Sendable {}
        await Resolver.withScope(.request, id: "1") {
            await Resolver.registerScoped(Service.self, scope: .request) { Service() }
            #expect(Resolver.optional(Service.self) != nil)
        }
    }

    @Test func `what is asked for while it is being registered is kept`() {
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

    @Test func `registering makes nothing until the service is asked for`() {
        final class Service: Sendable {}
        let made = Box(0)
        Resolver.withScope(.request, id: "1") {
            Resolver.registerScoped(Service.self, scope: .request) {
                made.increment()
                return Service()
            }
            #expect(made.value == 0)
            _ = Resolver.resolve(Service.self)
            #expect(made.value == 1)
        }
    }

    @Test(arguments: ScopeKind.builtIn)
    func `each kind keeps one instance of a service that is made synchronously`(_ kind: ScopeKind) {
        final class Service: Sendable {}
        Resolver.withScope(kind, id: "1") {
            Resolver.registerScoped(Service.self, scope: kind) { Service() }
            #expect(Resolver.resolve(Service.self) === Resolver.resolve(Service.self))
        }
    }

    @Test(arguments: ScopeKind.builtIn)
    func `each kind keeps one instance of a service that is made asynchronously`(_ kind: ScopeKind) async throws {
        final class Service: Sendable {}
        try await Resolver.withScope(kind, id: "1") {
            await Resolver.registerAsyncScoped(Service.self, scope: kind) {
                await Task.yield()
                return Service()
            }
            let first = try await Resolver.optionalAsync(Service.self)
            let second = try await Resolver.optionalAsync(Service.self)
            #expect(first != nil)
            #expect(first === second)
        }
    }

    @Test func `synchronous code registers what is made asynchronously`() async throws {
        final class Service: Sendable {}
        func register() {
            Resolver.registerAsyncScoped(Service.self, scope: .request) { Service() }
        }
        let service = try await Resolver.withScope(.request, id: "1") {
            register()
            return try await Resolver.optionalAsync(Service.self)
        }
        #expect(service != nil)
    }

    // MARK: What is registered

    @Test func `of a struct one value is made`() {
        struct Settings: Sendable, Equatable {
            var number: Int
        }
        let made = Box(0)
        Resolver.withScope(.request, id: "1") {
            Resolver.registerScoped(Settings.self, scope: .request) { Settings(number: made.increment()) }
            #expect(Resolver.resolve(Settings.self) == Settings(number: 1))
            #expect(Resolver.resolve(Settings.self) == Settings(number: 1))
        }
        #expect(made.value == 1)
    }

    @Test func `a service is found by its protocol`() {
        Resolver.withScope(.request, id: "1") {
            Resolver.registerScoped((any Role).self, scope: .request) { Player() }
            #expect(Resolver.resolve((any Role).self) === Resolver.resolve((any Role).self))
        }
    }

    @Test func `an actor is a service like others`() async {
        actor Counter {
            var count = 0
            func increment() -> Int {
                count += 1
                return count
            }
        }
        await Resolver.withScope(.request, id: "1") {
            await Resolver.registerScoped(Counter.self, scope: .request) { Counter() }
            #expect(await Resolver.resolve(Counter.self).increment() == 1)
            #expect(await Resolver.resolve(Counter.self).increment() == 2)
        }
    }

    @Test func `services of one type are told apart by name`() {
        struct Label: Sendable {
            let text: String
        }
        Resolver.withScope(.request, id: "1") {
            for name in ["one", "two"] {
                Resolver.registerScoped(Label.self, name: .init(name), scope: .request) { Label(text: name) }
            }
            #expect(Resolver.resolve(Label.self, name: "one").text == "one")
            #expect(Resolver.resolve(Label.self, name: "two").text == "two")
            #expect(Resolver.optional(Label.self) == nil)
        }
    }

    @Test func `registering again in one scope replaces and releases`() {
        final class Service: Sendable {
            let number: Int
            init(_ number: Int) { self.number = number }
        }
        Resolver.withScope(.request, id: "1") {
            Resolver.registerScoped(Service.self, scope: .request) { Service(1) }
            weak let old = Resolver.resolve(Service.self)
            #expect(old != nil)
            Resolver.registerScoped(Service.self, scope: .request) { Service(2) }
            #expect(old == nil)
            #expect(Resolver.resolve(Service.self).number == 2)
        }
    }

    // MARK: Where it is found

    @Test func `what was registered in a scope is gone with it`() {
        final class Service: Sendable {}
        Resolver.withScope(.request, id: "1") {
            Resolver.registerScoped(Service.self, scope: .request) { Service() }
        }
        #expect(Resolver.optional(Service.self) == nil)
        #expect(Resolver.withScope(.request, id: "1") { Resolver.optional(Service.self) } == nil)
    }

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

    @Test func `a scope's own registration comes before that of the resolver that is asked`() {
        final class Service: Sendable {}
        let resolver = Resolver()
        resolver.register { Service() }.scope(.application)
        let own: Service = resolver.resolve()
        Resolver.withScope(.request, id: "1") {
            Resolver.registerScoped(Service.self, scope: .request) { Service() }
            #expect(resolver.resolve(Service.self) !== own)
            #expect(resolver.resolve(Service.self) === Resolver.resolve(Service.self))
        }
        #expect(resolver.resolve(Service.self) === own)
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

    @Test func `it comes before an alias that is registered later`() {
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

    @Test func `it comes before an alias whose hits were answered between two scopes`() {
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

    @Test func `it can be found by what it implements`() {
        final class Own: Sendable, Marked {}
        let kind = ScopeKind("implementing", rank: 10, binding: .execution)
        Resolver.withScope(kind, id: "1") {
            Resolver.registerScoped(Own.self, scope: kind) { Own() }.implements((any Marked).self)
            #expect(Resolver.resolve((any Marked).self) === Resolver.resolve(Own.self))
        }
        #expect(Resolver.optional((any Marked).self) == nil)
    }

    private protocol Marked: AnyObject {}

    @Test func `an error speaks of the scope's own registration`() {
        struct Nothing {}
        let error = Resolver.withScope(.request, id: "nothing") { () -> ResolutionError? in
            ScopeContext.shared.current(.request)?.register(Nothing.self) { nil }
            do throws(ResolutionError) {
                _ = try Resolver.tryResolve(Nothing.self)
                return nil
            } catch {
                return error
            }
        }
        #expect(error?.code == .factoryReturnedNil)
    }
}
