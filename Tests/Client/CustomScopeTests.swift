import Resolver
import Testing

/// Scopes that an app writes.
@Suite struct CustomScopeTests {
    /// Caches one instance of each service under 1.5.1's key, with the spelling of 1.5.1's protocol.
    nonisolated private final class KeyedCache: ResolverScopeType, @unchecked Sendable {
        private var instances: [String: Any] = [:]

        func resolve<Service>(
            registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
        ) -> Service? {
            if let kept = instances[registration.cacheKey] as? Service { return kept }
            let service = registration.instantiate(resolver: resolver, args: args)
            instances[registration.cacheKey] = service
            return service
        }

        func reset() { instances = [:] }
    }

    /// Caches only unnamed services.
    nonisolated private final class UnnamedCache: ResolverScopeCache, @unchecked Sendable {
        override func resolve<Service>(
            registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
        ) -> Service? {
            guard registration.cacheKey == "\(registration.key)" else {
                return registration.instantiate(resolver: resolver, args: args)
            }
            return super.resolve(registration: registration, resolver: resolver, args: args)
        }
    }

    /// Caches one instance of each registration, with the spelling that throws.
    nonisolated private final class ThrowingCache: ResolverScopeType {
        private let instances = Guarded<[ObjectIdentifier: Any]>([:])

        func tryResolve<Service>(
            registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
        ) throws -> Service? {
            let key = ObjectIdentifier(registration)
            if let kept = instances.withLock({ $0[key] as? Service }) { return kept }
            let service = try registration.make(resolver: resolver, args: args)
            instances.withLock { $0[key] = service }
            return service
        }

        func resolve<Service>(
            registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
        ) -> Service? { try? tryResolve(registration: registration, resolver: resolver, args: args) }

        func reset() { instances.withLock { $0 = [:] } }
    }

    /// The spellings of a scope without a superclass.
    nonisolated enum Spelling: CaseIterable {
        case plain, throwing

        func makeScope() -> any ResolverScopeType { self == .plain ? KeyedCache() : ThrowingCache() }
    }

    @Test func `a scope that conforms to the protocol caches by its own rules`() {
        let scope = KeyedCache(), first = Resolver(), second = Resolver()
        for resolver in [first, second] {
            resolver.register { Leaf() }.scope(scope)
            resolver.register(name: .fred) { Leaf() }.scope(scope)
        }
        let leaf: Leaf = first.resolve()
        #expect(leaf === second.resolve(Leaf.self))
        #expect(leaf !== second.resolve(Leaf.self, name: .fred))
        scope.reset()
        #expect(leaf !== first.resolve(Leaf.self))
    }

    @Test func `a subclass of a cache may decide which services it caches`() {
        let resolver = Resolver(), scope = UnnamedCache()
        resolver.register { Leaf() }.scope(scope)
        resolver.register(name: .fred) { Leaf() }.scope(scope)
        #expect(resolver.resolve(Leaf.self) === resolver.resolve(Leaf.self))
        #expect(resolver.resolve(Leaf.self, name: .fred) !== resolver.resolve(Leaf.self, name: .fred))
    }

    @Test(arguments: Spelling.allCases)
    func `a factory's error passes through a custom scope and nothing is cached`(spelling: Spelling) throws {
        let resolver = Resolver(), isPlugged = Guarded(false)
        resolver.register { () throws -> Leaf in
            guard isPlugged.withLock({ $0 }) else { throw Unplugged(socket: 3) }
            return Leaf()
        }
        .scope(spelling.makeScope())
        let error = #expect(throws: ResolutionError.self) { try resolver.tryResolve(Leaf.self) }
        #expect(error?.code == .factoryFailed)
        #expect(error?.underlying as? Unplugged == Unplugged(socket: 3))
        isPlugged.withLock { $0 = true }
        #expect(try resolver.tryResolve(Leaf.self) === resolver.tryResolve(Leaf.self))
    }

    @Test(arguments: Spelling.allCases)
    func `a scope without a superclass serves aliases`(spelling: Spelling) {
        let resolver = Resolver()
        resolver.register { Page() }.implements(Labelled.self).scope(spelling.makeScope())
        let page: Page = resolver.resolve()
        #expect(resolver.resolve(Labelled.self) as? Page === page)
    }

    @Test func `a subclass of a cache may have its own initializer`() {
        nonisolated final class Named: ResolverScopeCache, @unchecked Sendable {
            let name: String

            init(name: String) {
                self.name = name
                super.init()
            }
        }
        let resolver = Resolver(), scope = Named(name: "pages")
        resolver.register { Leaf() }.scope(scope)
        #expect(resolver.resolve(Leaf.self) === resolver.resolve(Leaf.self))
        #expect(scope.name == "pages")
    }
}
