import Resolver
import XCTest

class ContainerTests: XCTestCase {
    func testTwoContainersAnswerDifferently() {
        let first = Resolver()
        let second = Resolver()
        first.register { Page("first") }
        second.register { Page("second") }
        XCTAssertEqual(first.resolve(Page.self).label, "first")
        XCTAssertEqual(second.resolve(Page.self).label, "second")
    }

    func testAChildAnswersWhatTheContainerHasNot() {
        let child = Resolver()
        let container = Resolver(child: child)
        child.register { Page("child") }
        XCTAssertEqual(container.resolve(Page.self).label, "child")
    }

    func testAContainerGoesBeforeItsChild() {
        let child = Resolver()
        let container = Resolver(child: child)
        child.register { Page("child") }
        container.register { Page("container") }
        XCTAssertEqual(container.resolve(Page.self).label, "container")
        XCTAssertEqual(child.resolve(Page.self).label, "child")
    }

    func testAChildIsNotAskedByItsSibling() {
        let first = Resolver()
        let second = Resolver()
        let container = Resolver()
        container.add(child: first)
        container.add(child: second)
        first.register { Leaf() }
        XCTAssertNil(second.optional(Leaf.self))
    }

    func testChildrenAreAskedInTheOrderTheyWereAdded() {
        let container = Resolver()
        let first = Resolver()
        let second = Resolver()
        second.register { Page("second") }
        first.register { Page("first") }
        container.add(child: first)
        container.add(child: second)
        XCTAssertEqual(container.resolve(Page.self).label, "first")
    }

    func testTheChildrenOfAChildGoBeforeItsSibling() {
        let grandchild = Resolver()
        let sibling = Resolver()
        let container = Resolver(child: Resolver(child: grandchild))
        container.add(child: sibling)
        sibling.register { Page("sibling") }
        grandchild.register { Page("grandchild") }
        XCTAssertEqual(container.resolve(Page.self).label, "grandchild")
    }

    func testAFactoryOfAChildIsGivenTheContainerThatWasAsked() {
        let child = Resolver()
        let container = Resolver(child: child)
        child.register { Branch($0.resolve()) }
        container.register { Leaf() }
        XCTAssertNotNil(container.optional(Branch.self))
    }

    func testNamedAndUnnamedServicesAreOverriddenSeparately() {
        let child = Resolver()
        let container = Resolver(child: child)
        child.register { Page("child") }
        child.register(name: .fred) { Page("child's fred") }
        container.register(name: .fred) { Page("container's fred") }
        XCTAssertEqual(container.resolve(Page.self).label, "child")
        XCTAssertEqual(container.resolve(Page.self, name: .fred).label, "container's fred")
    }

    func testAFactoryThatReturnsNilEndsTheSearch() {
        let child = Resolver()
        let container = Resolver(child: child)
        child.register { Page("child") }
        container.register(Page.self) { nil }
        XCTAssertNil(container.optional(Page.self))
    }

    @available(swift, deprecated: 5.0, message: "Tests a deprecated initializer.")
    func testAParentIsAChild() {
        let other = Resolver()
        let container = Resolver(parent: other)
        other.register { Page("other") }
        XCTAssertEqual(container.resolve(Page.self).label, "other")
    }

    func testTheContainersServicesEndWithItsCache() {
        let container = Resolver()
        container.register { Leaf() }.scope(.container)
        let first: Leaf = container.resolve()
        XCTAssertTrue(first === container.resolve(Leaf.self))
        container.cache.reset()
        XCTAssertFalse(first === container.resolve(Leaf.self))
    }

    func testTheCacheOfAContainerCanBeReplaced() {
        let container = Resolver()
        container.register { Leaf() }.scope(.container)
        let first: Leaf = container.resolve()
        let old = container.cache
        container.cache = ResolverScopeShare()
        weak let second = container.resolve(Leaf.self)
        XCTAssertFalse(first === second)
        XCTAssertNil(second)
        container.cache = old
        XCTAssertTrue(first === container.resolve(Leaf.self))
    }

    func testResettingTheContainerScopeItselfDoesNothing() {
        let container = Resolver()
        container.register { Leaf() }.scope(.container)
        let first: Leaf = container.resolve()
        ResolverScope.container.reset()
        XCTAssertTrue(first === container.resolve(Leaf.self))
    }
}
