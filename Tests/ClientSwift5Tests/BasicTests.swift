import Resolver
import XCTest

class BasicTests: XCTestCase {
    var resolver: Resolver!

    override func setUp() {
        super.setUp()
        resolver = Resolver()
    }

    func testTheTypeIsInferredFromTheClosure() {
        resolver.register { Leaf() }
        let leaf: Leaf? = resolver.optional()
        XCTAssertNotNil(leaf)
    }

    func testTheTypeCanBeNamed() {
        resolver.register(Labelled.self) { Page("news") }
        XCTAssertEqual(resolver.resolve(Labelled.self).label, "news")
        XCTAssertNil(resolver.optional(Page.self))
    }

    func testAFactoryResolvesWhatItNeedsFromTheResolverItIsGiven() {
        resolver.register { Page("news") }
        resolver.register { r in Sign(label: r.resolve(Page.self).label) }
        XCTAssertEqual(resolver.resolve(Sign.self).label, "news")
    }

    func testAFactoryMayUseTheShorthandForTheResolver() {
        resolver.register { Leaf() }
        resolver.register { Branch($0.resolve()) }
        XCTAssertNotNil(resolver.optional(Branch.self))
    }

    func testAFactoryMayUseTheResolverItWasRegisteredOn() {
        resolver.register { Leaf() }
        resolver.register { [unowned resolver = resolver!] in Branch(resolver.resolve()) }
        XCTAssertNotNil(resolver.optional(Branch.self))
    }

    func testTheLastRegistrationWins() {
        resolver.register { Page("first") }
        resolver.register { Page("last") }
        XCTAssertEqual(resolver.resolve(Page.self).label, "last")
    }

    func testAnUnregisteredServiceIsNil() {
        XCTAssertNil(resolver.optional(Leaf.self))
    }

    func testAFactoryThatReturnsNilIsNil() {
        resolver.register(Labelled.self) { nil }
        resolver.register(Leaf.self) { _ in nil }
        resolver.register(Page.self) { _, _ in nil }
        XCTAssertNil(resolver.optional(Labelled.self))
        XCTAssertNil(resolver.optional(Leaf.self))
        XCTAssertNil(resolver.optional(Page.self))
    }

    func testAFactoryThatEndsInAnOptionalRegistersTheWrappedType() {
        let known = ["news": Page("news")]
        resolver.register { known["news"] }
        XCTAssertEqual(resolver.resolve(Page.self).label, "news")
    }

    func testAServiceCanBeRegisteredInAFactory() {
        resolver.register { r -> Branch in
            r.register { Leaf() }
            return Branch(r.resolve())
        }
        XCTAssertNotNil(resolver.optional(Branch.self))
        XCTAssertNotNil(resolver.optional(Leaf.self))
    }

    func testResolvePropertiesCompletesANewInstance() {
        resolver.register { Leaf() }.scope(.cached)
        resolver.register { Page() }
            .resolveProperties { (r, page) in page.count = r.optional(Leaf.self) == nil ? 0 : 1 }
        XCTAssertEqual(resolver.resolve(Page.self).count, 1)
    }

    func testSeveralResolvePropertiesRunInOrder() {
        resolver.register { Page("a") }
            .resolveProperties { _, page in page.label += "b" }
            .resolveProperties { _, page, _ in page.label += "c" }
        XCTAssertEqual(resolver.resolve(Page.self).label, "abc")
    }

    func testResolvePropertiesDoesNotRunForAKeptInstance() {
        resolver.register { Page() }
            .resolveProperties { _, page in page.count += 1 }
            .scope(.cached)
        _ = resolver.resolve(Page.self)
        XCTAssertEqual(resolver.resolve(Page.self).count, 1)
    }

    func testOptionsCanBeAppliedLater() {
        let options = resolver.register { Leaf() }
        options.scope(.cached)
        let leaf: Leaf = resolver.resolve()
        XCTAssertTrue(leaf === resolver.resolve(Leaf.self))
    }

    func testTheResolvedTypeMayBeAssignedToAnOptional() {
        resolver.register { Page("news") }
        let page: Page? = resolver.resolve(Page.self)
        let labelled: Labelled = resolver.resolve(Page.self)
        XCTAssertEqual(page?.label, "news")
        XCTAssertEqual(labelled.label, "news")
    }
}
