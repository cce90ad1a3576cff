import Resolver
import XCTest

/// A scope written for 1.5.1 that delegates to the library's caches without `try`.
class DelegatingScopeTests: XCTestCase {
    final class Session: ResolverScopeType {
        let cache = ResolverScopeCache()
        let shared = ResolverScopeShare()

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

    struct Unplugged: Error {}

    func testItKeepsWhatTheCachesKeep() {
        let resolver = Resolver(), session = Session()
        resolver.register { Leaf() }.scope(session)
        resolver.register(name: "shared") { Leaf() }.scope(session)
        let leaf: Leaf = resolver.resolve(), shared: Leaf = resolver.resolve(name: "shared")
        XCTAssertTrue(leaf === resolver.resolve(Leaf.self))
        XCTAssertTrue(shared === resolver.resolve(Leaf.self, name: "shared"))
        XCTAssertFalse(leaf === shared)
        session.reset()
        XCTAssertFalse(leaf === resolver.resolve(Leaf.self))
    }

    func testAnErrorGetsThroughIt() {
        let resolver = Resolver()
        resolver.register { () -> Leaf in throw Unplugged() }.scope(Session())
        XCTAssertThrowsError(try resolver.tryResolve(Leaf.self)) { error in
            XCTAssertEqual((error as? ResolutionError)?.code, .factoryFailed)
            XCTAssertTrue((error as? ResolutionError)?.underlying is Unplugged)
        }
    }

    func testNilGetsThroughIt() {
        let resolver = Resolver()
        resolver.register(Leaf.self) { nil }.scope(Session())
        XCTAssertNil(resolver.optional(Leaf.self))
        XCTAssertThrowsError(try resolver.tryResolve(Leaf.self)) { error in
            XCTAssertEqual((error as? ResolutionError)?.code, .factoryReturnedNil)
        }
    }

    /// Delegates every call to another scope and passes its errors on.
    final class Outer: ResolverScopeType {
        let inner: any ResolverScopeType

        init(_ inner: any ResolverScopeType) { self.inner = inner }

        func resolve<Service>(
            registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
        ) -> Service? {
            inner.resolve(registration: registration, resolver: resolver, args: args)
        }

        func tryResolve<Service>(
            registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
        ) throws -> Service? {
            try inner.tryResolve(registration: registration, resolver: resolver, args: args)
        }

        func reset() { inner.reset() }
    }

    func testAScopeMayHandOnToAnotherThatDelegates() throws {
        let resolver = Resolver()
        resolver.register { Leaf() }.scope(Outer(Outer(Session())))
        XCTAssertTrue(resolver.resolve(Leaf.self) === resolver.resolve(Leaf.self))
        resolver.register(name: "failing") { () -> Leaf in throw Unplugged() }.scope(Outer(Session()))
        XCTAssertThrowsError(try resolver.tryResolve(Leaf.self, name: "failing")) { error in
            XCTAssertEqual((error as? ResolutionError)?.code, .factoryFailed)
        }
    }

    func testACacheMayBeAskedByHand() {
        let resolver = Resolver(), cache = ResolverScopeCache()
        let options = resolver.register { Leaf() }
        let leaf = cache.resolve(registration: options.registration, resolver: resolver, args: nil)
        XCTAssertNotNil(leaf)
        XCTAssertTrue(cache.resolve(registration: options.registration, resolver: resolver, args: nil) === leaf)
        let failing = resolver.register { () -> Leaf in throw Unplugged() }
        XCTAssertNil(cache.resolve(registration: failing.registration, resolver: resolver, args: nil))
        XCTAssertThrowsError(
            try cache.tryResolve(registration: failing.registration, resolver: resolver, args: nil))
    }

    func testWhatIsMadeAsynchronouslyIsAwaitedThroughIt() async throws {
        let resolver = Resolver(), session = Session()
        resolver.register { () async -> Leaf in
            await Task.yield()
            return Leaf()
        }.scope(session)
        let leaf = try await resolver.resolveAsync(Leaf.self)
        XCTAssertTrue(leaf === resolver.resolve(Leaf.self))
    }
}
