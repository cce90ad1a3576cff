import Resolver
import Testing

/// Singletons of the process.
@Suite struct ApplicationScopeTests {
    @Test func `singleton is an alias of the application scope`() {
        #expect(ResolverScope.singleton === ResolverScope.application)
    }

    @Test(arguments: [Resolver.ResetOptions.scopes, .registrations, .all])
    func `a reset of the resolver leaves its singletons`(_ options: Resolver.ResetOptions) {
        final class Service: Sendable {}
        let resolver = Resolver()
        func register() { resolver.register { Service() }.scope(.application) }
        register()
        let singleton: Service = resolver.resolve()
        resolver.reset(options)
        #expect((resolver.existing(Service.self) === singleton) == !options.contains(.registrations))
        if options.contains(.registrations) { register() }
        #expect(resolver.resolve(Service.self) === singleton)
    }

    @Test func `resetting the scope in one resolver resets the shared singleton for all`() {
        final class Service: Sendable {}
        let left = Resolver(), right = Resolver(), stranger = Resolver()
        for resolver in [left, right] { resolver.register { Service() }.scope(.application) }
        stranger.register { Service() }.scope(.application)
        let old: Service = left.resolve(), strangers: Service = stranger.resolve()
        left.reset(scope: .application)
        #expect(right.existing(Service.self) == nil)
        let new: Service = right.resolve()
        #expect(new !== old)
        #expect(left.resolve(Service.self) === new)
        #expect(stranger.resolve(Service.self) === strangers)
    }

    @Test func `a service that changes its scope leaves the singleton to other resolvers`() {
        final class Service: Sendable {}
        @discardableResult func register(_ resolver: Resolver) -> ResolverOptions<Service> {
            resolver.register(name: "left") { Service() }.scope(.application)
        }
        let left = Resolver(), right = Resolver(), scope = ResolverScopeCache()
        let options = register(left)
        register(right)
        let singleton: Service = left.resolve(name: "left")
        #expect(right.resolve(Service.self, name: "left") === singleton)
        options.scope(scope)
        #expect(left.resolve(Service.self, name: "left") !== singleton)
        left.reset(scope: scope)
        left.register(name: "left") { Service() }
        #expect(right.resolve(Service.self, name: "left") === singleton)
    }

    @Test func `one registration line with different types does not share an instance of the wrong type`() {
        class Base: @unchecked Sendable {}
        final class Derived: Base, @unchecked Sendable {
            let value = 42
        }
        func register<Service>(_ type: Any.Type, on resolver: Resolver, _ make: @escaping @Sendable () -> Service) {
            resolver.register(type as! Service.Type, name: "runtime", factory: make).scope(.application)
        }
        let first = Resolver(), second = Resolver()
        register(Derived.self as Base.Type, on: first) { Base() }
        register(Derived.self, on: second) { Derived() }
        _ = first.optional(Base.self, name: "runtime")
        _ = first.optional(Derived.self as Base.Type, name: "runtime")
        #expect(second.resolve(Derived.self, name: "runtime").value == 42)
    }
}
