import Resolver
import Testing

/// Scopes that delegate to the library's caches, in the spelling of 1.5.1, which does not throw.
@Suite struct DelegatingScopeTests {
    nonisolated private final class Session: ResolverScopeType {
        let cache = ResolverScopeCache(), shared = ResolverScopeShare()

        func resolve<Service>(
            registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
        ) -> Service? {
            if registration.cacheKey.hasSuffix("shared") {
                return shared.resolve(registration: registration, resolver: resolver, args: args)
            }
            return cache.resolve(registration: registration, resolver: resolver, args: args)
        }

        func reset() {
            cache.reset()
            shared.reset()
        }
    }

    /// Delegates every call to another scope and passes its errors on.
    nonisolated private final class Outer: ResolverScopeType {
        let inner: any ResolverScopeType
        init(_ inner: any ResolverScopeType) { self.inner = inner }

        func resolve<Service>(
            registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
        ) -> Service? { inner.resolve(registration: registration, resolver: resolver, args: args) }

        func tryResolve<Service>(
            registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
        ) throws -> Service? {
            try inner.tryResolve(registration: registration, resolver: resolver, args: args)
        }

        func reset() { inner.reset() }
    }

    nonisolated private static var scopes: [any ResolverScopeType] { [Session(), Outer(Outer(Session()))] }

    private let resolver = Resolver()

    @Test(arguments: 0..<2) func `a scope may delegate to caches and to scopes that delegate`(index: Int) async throws {
        let session = Self.scopes[index]
        resolver.register { Leaf() }.scope(session)
        resolver.register(name: "shared") { Leaf() }.scope(session)
        let leaf: Leaf = resolver.resolve(), shared: Leaf = resolver.resolve(name: "shared")
        #expect(leaf === resolver.resolve(Leaf.self))
        #expect(shared === resolver.resolve(Leaf.self, name: "shared"))
        #expect(leaf !== shared)
        session.reset()
        #expect(leaf !== resolver.resolve(Leaf.self))
        resolver.register { () async -> Branch in
            await Task.yield()
            return Branch(leaf)
        }.scope(session)
        let branch = try await resolver.resolveAsync(Branch.self)
        #expect(branch === resolver.resolve(Branch.self))
    }

    @Test(arguments: 0..<2) func `a factory's error and its nil pass through a scope that delegates`(index: Int) {
        resolver.register { () -> Leaf in throw Unplugged() }.scope(Self.scopes[index])
        let failure = #expect(throws: ResolutionError.self) { try resolver.tryResolve(Leaf.self) }
        #expect(failure?.code == .factoryFailed)
        #expect(failure?.underlying is Unplugged)
        resolver.register(Leaf.self) { nil }.scope(Self.scopes[index])
        #expect(resolver.optional(Leaf.self) == nil)
        let nothing = #expect(throws: ResolutionError.self) { try resolver.tryResolve(Leaf.self) }
        #expect(nothing?.code == .factoryReturnedNil)
    }

    @Test func `an app may call a cache itself`() {
        let cache = ResolverScopeCache()
        let options = resolver.register { Leaf() }
        let leaf = cache.resolve(registration: options.registration, resolver: resolver, args: nil)
        #expect(leaf != nil)
        #expect(cache.resolve(registration: options.registration, resolver: resolver, args: nil) === leaf)
        let failing = resolver.register { () -> Leaf in throw Unplugged() }
        #expect(cache.resolve(registration: failing.registration, resolver: resolver, args: nil) == nil)
        #expect(throws: ResolutionError.self) {
            try cache.tryResolve(registration: failing.registration, resolver: resolver, args: nil)
        }
    }
}
