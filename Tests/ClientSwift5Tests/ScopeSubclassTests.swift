import Resolver
import XCTest

/// A correction of 1.5.1: apps can write scopes outside the library, as the documentation always said.
class ScopeSubclassTests: XCTestCase {
    /// Caches everything and counts its calls.
    final class AskedCache: ResolverScopeCache, @unchecked Sendable {
        var asked = 0

        override func resolve<Service>(
            registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
        ) -> Service? {
            asked += 1
            return super.resolve(registration: registration, resolver: resolver, args: args)
        }
    }

    /// Caches one instance of each service under 1.5.1's key, with the spelling of 1.5.1's protocol.
    final class KeyedCache: ResolverScopeType, @unchecked Sendable {
        var instances: [String: Any] = [:]

        func resolve<Service>(
            registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
        ) -> Service? {
            if let kept = instances[registration.cacheKey] as? Service { return kept }
            let service = registration.instantiate(resolver: resolver, args: args)
            instances[registration.cacheKey] = service
            return service
        }

        func reset() {
            instances = [:]
        }
    }

    func testASubclassIsAskedEachTime() {
        let resolver = Resolver()
        let scope = AskedCache()
        resolver.register { Leaf() }.scope(scope)
        let leaf: Leaf = resolver.resolve()
        XCTAssertTrue(leaf === resolver.resolve(Leaf.self))
        XCTAssertEqual(scope.asked, 2)
    }

    func testAScopeThatConformsToTheProtocolKeepsInstancesByItsOwnRules() {
        let scope = KeyedCache()
        let first = Resolver()
        let second = Resolver()
        for resolver in [first, second] {
            resolver.register { Leaf() }.scope(scope)
            resolver.register(name: .fred) { Leaf() }.scope(scope)
        }
        let leaf: Leaf = first.resolve()
        XCTAssertTrue(leaf === second.resolve(Leaf.self))
        XCTAssertFalse(leaf === second.resolve(Leaf.self, name: .fred))
        scope.reset()
        XCTAssertFalse(leaf === first.resolve(Leaf.self))
    }
}
