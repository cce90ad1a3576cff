import Resolver
import Testing

private final class Basket: Sendable {}
private final class Till: Sendable {
    let basket: Basket?
    init(_ basket: Basket?) { self.basket = basket }
}

/// What is told of a service that belongs to a scope and is hidden while something is made that lives longer.
@Suite struct HiddenServiceTests {
    private let kind = ScopeKind("visit", rank: 10, binding: .execution)

    private func till(_ make: @escaping @Sendable (Resolver) throws -> Till) -> Resolver {
        let resolver = Resolver()
        resolver.register(fileID: "Shop/App.swift", line: 10, factory: make).scope(.cached)
        return resolver
    }

    @Test func `the error names the hidden service, its consumer and the code to write`() throws {
        try Resolver.withScope(kind, id: "42") {
            Resolver.registerScoped(
                Basket.self, scope: kind, fileID: "Shop/Visit.swift", line: 20, factory: { Basket() })
            let resolver = till { r in Till(try r.tryResolve(Basket.self, fileID: "Shop/Till.swift", line: 30)) }
            let error = try #require(resolver.failure(Till.self))
            expect(error.code, is: .notRegistered)
            try expectGolden(error.description, "hidden-in-scope")
            expect(resolver.optional(Basket.self) != nil, "elsewhere it is found")
        }
    }

    @Test(arguments: ["for all scopes", "for the scope", "while the consumer is made"])
    func `an event names the consumer and the service`(_ registered: String) {
        let log = ScopeLog(kind)
        Resolver.withScope(kind, id: "42") {
            @Sendable func register() { Resolver.registerScoped(Basket.self, scope: kind) { Basket() } }
            if registered == "for the scope" { register() }
            let resolver = till { r in
                if registered == "while the consumer is made" { register() }
                return Till(r.optional())
            }
            if registered == "for all scopes" { resolver.register { Basket() }.scoped(to: kind) }
            expect(resolver.resolve(Till.self).basket == nil, is: registered != "for all scopes")
        }
        expect(log.captives.contains("Basket by Till"))
    }

    private struct Page {
        @Inject var till: Till?
        @Inject(name: "missing") var missing: Till?
    }

    @Test func `an error that inject turns into nil is an event`() {
        let resolver = Resolver(), told = Box<[String]>([])
        let observation = ScopeContext.shared.observe { event in
            if case .injectFailed(let service, let code, let callSite) = event, service.hasSuffix("Till") {
                told.append("\(code) in \(callSite.fileID)")
            }
        }
        defer { observation.cancel() }
        resolver.register { () -> Till in throw Failure() }
        Resolver.withRoot(resolver) {
            let page = Page()
            expect(page.till, is: nil)
            expect(page.missing, is: nil)
        }
        // That there is no such service is no error.
        expect(told.value, is: ["factoryFailed in ResolverTests/HiddenServiceTests.swift"])
    }
}
