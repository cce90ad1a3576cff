import Resolver
import Testing

/// In Swift 6 a closure captures the type of a service only if the type is a `SendableMetatype`.
nonisolated protocol Startable: AnyObject, SendableMetatype { func start() }

// Custom modifiers of an app: `update(factory:)` wraps the existing factory.
nonisolated extension ResolverOptions {
    @discardableResult func onInit(_ handler: @escaping @Sendable (Service) -> Void) -> Self {
        registration.update { factory in
            { resolver, args in
                guard let service = factory(resolver, args) else { return nil }
                handler(service)
                return service
            }
        }
        return self
    }

    @discardableResult func started() -> ResolverOptions<Service> where Service: Startable {
        registration.update { factory in
            return { (resolver, args) in
                let service = factory(resolver, args)
                service?.start()
                return service
            }
        }
        return self
    }
}

@Suite struct ModifierTests {
    nonisolated private final class Engine: Startable {
        var starts = 0

        func start() { starts += 1 }
    }

    private let resolver = Resolver()

    @Test func `a modifier runs for each new instance and not for a cached one`() {
        resolver.register { Engine() }.started().scope(.container)
        resolver.register(name: .fred) { Engine() }.started()
        for _ in 0..<2 {
            expect(resolver.resolve(Engine.self).starts, is: 1)
            expect(resolver.resolve(Engine.self, name: .fred).starts, is: 1)
        }
    }

    @Test func `a modifier runs after the property blocks before it`() {
        let journal = Box<[String]>([])
        resolver.register { Page() }
            .resolveProperties { _, _ in journal.append("properties") }
            .onInit { _ in journal.append("modifier") }
            .resolveProperties { _, _ in journal.append("later properties") }
        _ = resolver.resolve(Page.self)
        expect(journal.value, is: ["properties", "modifier", "later properties"])
    }

    @Test func `a modifier passes arguments and errors on, and may replace the instance`() {
        resolver.register { (_, args) in Page(args()) }.onInit { $0.count = 1 }.registration.update { factory in
            { resolver, args in factory(resolver, args).map { Page($0.label + ", wrapped", count: $0.count) } }
        }
        let page: Page = resolver.resolve(args: "news")
        expect(page.label, is: "news, wrapped")
        expect(page.count, is: 1)
        resolver.register(name: .fred) { () throws -> Page in throw Unplugged(socket: 2) }.onInit { _ in }
        let error = #expect(throws: ResolutionError.self) { try resolver.tryResolve(Page.self, name: .fred) }
        expect(error?.underlying as? Unplugged, is: Unplugged(socket: 2))
    }

    private func registerLogged<Service>(
        _ log: Box<[String]>, factory: @escaping ResolverFactory<Service>,
        mutator: @escaping ResolverFactoryMutator<Service>
    ) -> ResolverOptions<Service> {
        resolver.register { () -> Service? in
            log.append("making")
            return factory()
        }.resolveProperties { resolver, service in mutator(resolver, service) }
    }

    private func registerForwarded<Service>(
        name: Resolver.Name, factory: @escaping ResolverFactoryArgumentsN<Service>
    ) { resolver.register(name: name, factory: factory) }

    @Test func `a helper may receive, call and pass on a factory`() {
        let log = Box<[String]>([])
        registerLogged(log, factory: { 1 }, mutator: { _, _ in log.append("completing") }).scope(.unique)
        registerForwarded(name: "sum") { (resolver: Resolver, args: Resolver.Args) -> Int? in
            resolver.resolve(Int.self) + args()
        }
        expect(resolver.resolve(Int.self, name: "sum", args: 2), is: 3)
        expect(log.value, is: ["making", "completing"])
    }

    private func registration(name: Resolver.Name? = nil) -> ResolverRegistration<Page> {
        let key = Int(bitPattern: ObjectIdentifier(Page.self))
        return ResolverRegistration(resolver: resolver, key: key, name: name) { _, args in
            Page(args as? String ?? "untitled")
        }
    }

    @Test func `a registration of an app takes raw arguments, has the keys of version 1 5 1 and is not stored`() {
        let registration = registration()
        expect(registration.instantiate(resolver: resolver, args: "news")?.label, is: "news")
        expect(registration.instantiate(resolver: resolver, args: nil)?.label, is: "untitled")
        expect(registration.resolve(resolver: resolver, args: "news")?.label, is: "news")
        registration.update { factory in
            { resolver, args in
                let page = factory(resolver, args)
                page?.count = 9
                return page
            }
        }
        expect(registration.instantiate(resolver: resolver, args: nil)?.count, is: 9)
        expect(resolver.optional(Page.self), is: nil)
        let key = Int(bitPattern: ObjectIdentifier(Page.self))
        expect(registration.key, is: key)
        expect(registration.cacheKey, is: "\(key)")
        expect(self.registration(name: .fred).cacheKey, is: "\(key):Fred")
    }

    @Test func `options have the registration that is resolved`() {
        let options: ResolverOptions<Page> = resolver.register { Page("registered") }.scope(.container)
        let page = options.registration.resolve(resolver: resolver, args: nil)
        expect(page === resolver.resolve(Page.self))
        expect(page !== options.registration.instantiate(resolver: resolver, args: nil))
    }
}
