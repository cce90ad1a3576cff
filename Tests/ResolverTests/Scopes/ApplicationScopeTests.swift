import Resolver
import Testing

/// Singletons of the process.
@Suite struct ApplicationScopeTests {
    @Test func `singleton is an alias of the application scope`() {
        #expect(ResolverScope.singleton === ResolverScope.application)
    }

    @Test func `resolvers that run the same registration share a singleton that outlives them`() {
        final class Service: Sendable {}
        func container() -> Resolver {
            let resolver = Resolver()
            resolver.register { Service() }.scope(.application)
            return resolver
        }
        var first: Resolver? = container()
        let second = container()
        let singleton = first?.resolve(Service.self)
        #expect(second.resolve(Service.self) === singleton)
        first = nil
        #expect(second.resolve(Service.self) === singleton)
        #expect(container().resolve(Service.self) === singleton)
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

    @Test func `resetting and purging cached instances leaves singletons`() async {
        await #expect(processExitsWith: .success) {
            let resolver = Resolver()
            resolver.register { Leaf() }.scope(.application)
            resolver.register { OtherLeaf() }.scope(.cached)
            let singleton: Leaf = resolver.resolve()
            weak let cached = resolver.resolve(OtherLeaf.self)
            Child.require(cached != nil, "the cached one is kept")
            ResolverScope.cached.reset()
            Child.require(cached == nil, "and released")
            resolver.reset(scope: .cached)
            resolver.purgeExpired()
            Child.require(resolver.resolve(Leaf.self) === singleton, "the singleton is what it was")
        }
    }

    @Test func `the singleton scope can be reset directly`() async {
        await #expect(processExitsWith: .success) {
            let left = Resolver(), right = Resolver()
            left.register { Leaf() }.scope(.application)
            right.register { Leaf() }.scope(.singleton)
            weak let first = left.resolve(Leaf.self)
            weak let second = right.resolve(Leaf.self)
            Child.require(first != nil && second != nil, "both are kept")
            ResolverScope.singleton.reset()
            Child.require(first == nil && second == nil, "both are released")
        }
    }

    @Test func `an isolating resolver has its own singletons`() {
        final class Service: Sendable {}
        let app = Resolver()
        app.register { Service() }.scope(.application)
        let singleton: Service = app.resolve()
        let mine = Box<[Service]>([])
        Threads.run(2) { _ in
            let test = Resolver(isolating: app)
            let own: Service = test.resolve()
            #expect(test.resolve(Service.self) === own)
            mine.append(own)
        }
        #expect(mine.value[0] !== mine.value[1])
        #expect(!mine.value.contains { $0 === singleton })
        #expect(app.resolve(Service.self) === singleton)
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
