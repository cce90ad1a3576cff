import Resolver
import XCTest

/// A name is a separate service with its own instance in every scope.
class ScopeNameTests: XCTestCase {
    var resolver: Resolver!

    override func setUp() {
        super.setUp()
        resolver = Resolver()
    }

    private func register(in scope: ResolverScope) {
        resolver.register { Leaf() }.scope(scope)
        resolver.register(name: .fred) { Leaf() }.scope(scope)
        resolver.register(name: .barney) { Leaf() }.scope(scope)
        resolver.register { r in
            Grove([
                r.resolve(), r.resolve(name: .fred), r.resolve(name: .barney),
                r.resolve(), r.resolve(name: .fred), r.resolve(name: .barney),
            ])
        }
    }

    /// Three services, each resolved twice within one resolution cycle.
    private class Grove {
        let leaves: [Leaf]

        init(_ leaves: [Leaf]) {
            self.leaves = leaves
        }

        var distinct: Int { Set(leaves.map { ObjectIdentifier($0) }).count }
    }

    private func distinctLeavesOfTwoGroves() -> [Int] {
        let first: Grove = resolver.resolve()
        let second: Grove = resolver.resolve()
        return [first.distinct, second.distinct, Grove(first.leaves + second.leaves).distinct]
    }

    func testGraph() {
        register(in: .graph)
        XCTAssertEqual(distinctLeavesOfTwoGroves(), [3, 3, 6])
    }

    func testShared() {
        register(in: .shared)
        XCTAssertEqual(distinctLeavesOfTwoGroves(), [3, 3, 3])
    }

    func testApplication() {
        register(in: .application)
        XCTAssertEqual(distinctLeavesOfTwoGroves(), [3, 3, 3])
    }

    func testCached() {
        register(in: .cached)
        XCTAssertEqual(distinctLeavesOfTwoGroves(), [3, 3, 3])
    }

    func testContainer() {
        register(in: .container)
        XCTAssertEqual(distinctLeavesOfTwoGroves(), [3, 3, 3])
    }

    func testUnique() {
        register(in: .unique)
        XCTAssertEqual(distinctLeavesOfTwoGroves(), [6, 6, 12])
    }
}
