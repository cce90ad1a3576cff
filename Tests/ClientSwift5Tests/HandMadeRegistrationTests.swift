import Resolver
import XCTest

class HandMadeRegistrationTests: XCTestCase {
    let resolver = Resolver()

    private func registration(name: Resolver.Name? = nil) -> ResolverRegistration<Page> {
        let key = Int(bitPattern: ObjectIdentifier(Page.self))
        return ResolverRegistration(resolver: resolver, key: key, name: name) { _, args in
            Page(args as? String ?? "untitled")
        }
    }

    func testItInstantiatesWithRawArguments() {
        let registration = registration()
        XCTAssertEqual(registration.instantiate(resolver: resolver, args: "news")?.label, "news")
        XCTAssertEqual(registration.instantiate(resolver: resolver, args: nil)?.label, "untitled")
    }

    func testItResolvesThroughItsScope() {
        XCTAssertEqual(registration().resolve(resolver: resolver, args: "news")?.label, "news")
    }

    func testItHasTheKeysOfIts1_5_1Counterpart() {
        let key = Int(bitPattern: ObjectIdentifier(Page.self))
        XCTAssertEqual(registration().key, key)
        XCTAssertEqual(registration().cacheKey, "\(key)")
        XCTAssertEqual(registration(name: .fred).cacheKey, "\(key):Fred")
    }

    func testItCanBeUpdated() {
        let registration = registration()
        registration.update { factory in
            { resolver, args in
                let page = factory(resolver, args)
                page?.count = 9
                return page
            }
        }
        XCTAssertEqual(registration.instantiate(resolver: resolver, args: nil)?.count, 9)
    }

    func testItIsNotStoredInTheResolver() {
        _ = registration()
        XCTAssertNil(resolver.optional(Page.self))
    }

    func testTheRegistrationBehindOptionsIsTheOneThatIsResolved() {
        let options: ResolverOptions<Page> = resolver.register { Page("registered") }.scope(.cached)
        let page = options.registration.resolve(resolver: resolver, args: nil)
        XCTAssertTrue(page === resolver.resolve(Page.self))
        XCTAssertFalse(page === options.registration.instantiate(resolver: resolver, args: nil))
    }
}
