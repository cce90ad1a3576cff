import Resolver
import Testing

@Suite struct CustomScopeTests {
    /// Caches one instance of each service under 1.5.1's key, with the spelling of 1.5.1's protocol.
    nonisolated private final class KeyedCache: ResolverScopeType, @unchecked Sendable {
        private var instances: [String: Any] = [:]

        func resolve<Service>(registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?) -> Service? {
            if let kept = instances[registration.cacheKey] as? Service { return kept }
            let service = registration.instantiate(resolver: resolver, args: args)
            instances[registration.cacheKey] = service
            return service
        }

        func reset() { instances = [:] }
    }

    nonisolated private final class UnnamedCache: ResolverScopeCache, @unchecked Sendable {
        let name: String

        init(name: String) {
            self.name = name
            super.init()
        }

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
        private let instances = Box<[ObjectIdentifier: Any]>([:])

        func tryResolve<Service>(
            registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
        ) throws -> Service? {
            let key = ObjectIdentifier(registration)
            if let kept = instances.value[key] as? Service { return kept }
            let service = try registration.make(resolver: resolver, args: args)
            instances.update { $0[key] = service }
            return service
        }

        func resolve<Service>(
            registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
        ) -> Service? { try? tryResolve(registration: registration, resolver: resolver, args: args) }

        func reset() { instances.set([:]) }
    }

    /// The spellings of a scope without a superclass.
    nonisolated enum Spelling: CaseIterable {
        case plain, throwing

        func makeScope() -> any ResolverScopeType { self == .plain ? KeyedCache() : ThrowingCache() }
    }

    private let resolver = Resolver()

    @Test func `a subclass of a cache may have its own initializer and decide which services it caches`() {
        let scope = UnnamedCache(name: "pages")
        resolver.register { Leaf() }.scope(scope)
        resolver.register(name: .fred) { Leaf() }.scope(scope)
        expect(resolver.resolve(Leaf.self) === resolver.resolve(Leaf.self))
        expect(resolver.resolve(Leaf.self, name: .fred) !== resolver.resolve(Leaf.self, name: .fred))
        expect(scope.name, is: "pages")
    }

    @Test(arguments: Spelling.allCases)
    func `a scope without a superclass keeps instances, also by alias, until reset`(spelling: Spelling) async throws {
        let scope = spelling.makeScope()
        resolver.register { Leaf() }.implements(AnyObject.self).scope(scope)
        resolver.register(name: "shared") { Leaf() }.scope(scope)
        let leaf: Leaf = resolver.resolve(), shared: Leaf = resolver.resolve(name: "shared")
        expect(leaf === resolver.resolve(Leaf.self))
        expect(leaf === resolver.resolve(AnyObject.self))
        expect(shared === resolver.resolve(Leaf.self, name: "shared"))
        expect(leaf !== shared)
        scope.reset()
        expect(leaf !== resolver.resolve(Leaf.self))
        resolver.register { () async -> Branch in
            await Task.yield()
            return Branch(leaf)
        }.scope(scope)
        try await expect(resolver.resolveAsync(Branch.self) === resolver.resolve(Branch.self))
    }

    @Test func `an app may call a cache itself`() {
        let cache = ResolverScopeCache()
        let options = resolver.register { Leaf() }
        let leaf = cache.resolve(registration: options.registration, resolver: resolver, args: nil)
        expect(leaf != nil)
        expect(cache.resolve(registration: options.registration, resolver: resolver, args: nil) === leaf)
        let failing = resolver.register { () -> Leaf in throw Unplugged() }
        expect(cache.resolve(registration: failing.registration, resolver: resolver, args: nil), is: nil)
        #expect(throws: ResolutionError.self) {
            try cache.tryResolve(registration: failing.registration, resolver: resolver, args: nil)
        }
    }
}
