import Resolver
import XCTest

/// An app's own scope in the documented form: `static let session = ResolverScopeCache()`.
class SessionScopeTests: ProcessWideTestCase {
    func testASessionKeepsItsInstancesUntilItIsReset() {
        Resolver.register { Leaf() }.scope(.session)
        let first: Leaf = Resolver.resolve()
        XCTAssertTrue(first === Resolver.resolve(Leaf.self))
        ResolverScope.session.reset()
        XCTAssertFalse(first === Resolver.resolve(Leaf.self))
    }

    func testASessionIsNotTheCachedScope() {
        Resolver.register { Leaf() }.scope(.session)
        let first: Leaf = Resolver.resolve()
        ResolverScope.cached.reset()
        XCTAssertTrue(first === Resolver.resolve(Leaf.self))
    }

    func testResettingTheResolverLeavesTheSessionAlone() {
        let resolver = Resolver()
        resolver.register { Leaf() }.scope(.session)
        let first: Leaf = resolver.resolve()
        Resolver.reset()
        XCTAssertTrue(first === resolver.resolve(Leaf.self))
    }
}
