import Resolver
import XCTest

extension Resolver {
    /// Registrations in the style of 1.5.1: a static function that calls static functions without naming their type.
    static func registerForestServices() {
        register { Leaf() }
        register { Branch(resolve()) }
        register { Tree(resolve(), resolve()) }
        registerPages()
    }

    private static func registerPages() {
        register { Page("fred") as Labelled }
        register(name: .fred) { Page("named") }.implements(Counting.self)
        register(Page.self) { r, args in Page(args(), count: r.optional(Leaf.self) == nil ? 0 : 1) }
    }
}

class ClassTests: ProcessWideTestCase {
    override func setUp() {
        super.setUp()
        Resolver.registerForestServices()
    }

    func testStaticResolveTakesATypeANameAndArguments() {
        let leaf: Leaf = Resolver.resolve(), labelled: Labelled = Resolver.resolve()
        XCTAssertTrue(type(of: leaf) == Leaf.self)
        XCTAssertEqual(labelled.label, "fred")
        XCTAssertEqual(Resolver.resolve(Labelled.self).label, "fred")
        XCTAssertEqual(Resolver.resolve(Page.self, name: .fred).label, "named")
        let page: Page = Resolver.resolve(args: "news")
        XCTAssertEqual(page.label, "news")
        XCTAssertEqual(page.count, 1)
    }

    func testStaticOptionalIsWhatIsRegisteredOrNil() {
        XCTAssertNotNil(Resolver.optional(Leaf.self))
        XCTAssertEqual(Resolver.optional(Page.self, name: .fred)?.label, "named")
        XCTAssertEqual(Resolver.optional(Page.self, args: "news")?.label, "news")
        XCTAssertNil(Resolver.optional(Stamp.self))
        XCTAssertNil(Resolver.optional(Leaf.self, name: .fred))
    }

    func testStaticResolveInAFactoryJoinsTheCycle() {
        let tree: Tree = Resolver.resolve()
        XCTAssertTrue(tree.leaf === tree.branch.leaf)
    }

    func testStaticRegisterGoesToMainAndStaticResolveAsksRoot() {
        XCTAssertNotNil(Resolver.main.optional(Leaf.self))
        Resolver.root = Resolver()
        Resolver.root.register { Page("root") as Labelled }
        Resolver.register { Stamp() }
        XCTAssertNotNil(Resolver.main.optional(Stamp.self))
        XCTAssertNil(Resolver.root.optional(Stamp.self))
        XCTAssertNil(Resolver.optional(Stamp.self))
        XCTAssertEqual(Resolver.resolve(Labelled.self).label, "root")
    }

    func testStaticRegistrationsTakeOptions() {
        Resolver.register { Page("shown") }
            .implements(Counting.self, name: "shown")
            .resolveProperties { _, page in page.count = 7 }
            .scope(.unique)
        XCTAssertEqual(Resolver.resolve(Counting.self, name: "shown").count, 7)
    }
}
