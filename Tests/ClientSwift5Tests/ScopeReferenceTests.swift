import Resolver
import XCTest

/// How each scope treats objects.
class ScopeReferenceTests: XCTestCase {
    var resolver: Resolver!

    override func setUp() {
        super.setUp()
        resolver = Resolver()
        resolver.register { r in Branch(r.resolve()) }
        resolver.register { r in Tree(r.resolve(), r.resolve()) }
    }

    private func leaf() -> Leaf { resolver.resolve() }

    func testGraphSharesWithinACycleAndNotBeyond() {
        resolver.register { Leaf() }.scope(.graph)
        let tree: Tree = resolver.resolve()
        XCTAssertTrue(tree.leaf === tree.branch.leaf)
        XCTAssertFalse(leaf() === tree.leaf)
    }

    func testGraphIsTheDefault() {
        resolver.register { Leaf() }
        let tree: Tree = resolver.resolve()
        XCTAssertTrue(tree.leaf === tree.branch.leaf)
        XCTAssertFalse(leaf() === tree.leaf)
    }

    func testUniqueSharesNothing() {
        resolver.register { Leaf() }.scope(.unique)
        let tree: Tree = resolver.resolve()
        XCTAssertFalse(tree.leaf === tree.branch.leaf)
    }

    func testSharedLastsAsLongAsSomebodyHoldsTheObject() {
        resolver.register { Leaf() }.scope(.shared)
        var first: Leaf? = leaf()
        weak let observed = first
        XCTAssertTrue(first === leaf())
        first = nil
        XCTAssertNil(observed)
        let second = leaf()
        XCTAssertTrue(second === leaf())
    }

    func testResettingSharedMakesANewObjectThoughTheOldOneIsHeld() {
        let share = ResolverScopeShare()
        resolver.register { Leaf() }.scope(share)
        let first = leaf()
        share.reset()
        XCTAssertFalse(first === leaf())
    }

    func testApplicationKeepsTheObject() {
        resolver.register { Leaf() }.scope(.application)
        XCTAssertTrue(leaf() === leaf())
    }

    func testApplicationCanBeReset() {
        resolver.register { Leaf() }.scope(.application)
        let first = leaf()
        ResolverScope.application.reset()
        XCTAssertFalse(first === leaf())
    }

    func testCachedKeepsTheObjectUntilItIsReset() {
        resolver.register { Leaf() }.scope(.cached)
        let first = leaf()
        XCTAssertTrue(first === leaf())
        ResolverScope.cached.reset()
        let second = leaf()
        XCTAssertFalse(first === second)
        XCTAssertTrue(second === leaf())
    }

    func testCachedStoresNoNil() {
        let journal = Journal()
        resolver.register(Leaf.self) {
            journal.entries.append("asked")
            return journal.entries.count == 1 ? nil : Leaf()
        }
        .scope(.cached)
        XCTAssertNil(resolver.optional(Leaf.self))
        XCTAssertTrue(leaf() === leaf())
        XCTAssertEqual(journal.entries.count, 2)
    }

    func testContainerKeepsTheObject() {
        resolver.register { Leaf() }.scope(.container)
        XCTAssertTrue(leaf() === leaf())
    }

    func testTheLastScopeWins() {
        resolver.register { Leaf() }.scope(.cached).scope(.unique)
        XCTAssertFalse(leaf() === leaf())
    }

    func testASingletonHeldByACachedBranchIsTheSameEverywhere() {
        resolver.register { Leaf() }.scope(.application)
        let tree: Tree = resolver.resolve()
        XCTAssertTrue(tree.leaf === tree.branch.leaf)
        XCTAssertTrue(tree.leaf === leaf())
    }

    func testTheOldNameOfTheUniqueScopeStillWorks() {
        resolver.register { Leaf() }.scope(ResolverScopeUnique())
        XCTAssertFalse(leaf() === leaf())
    }
}
