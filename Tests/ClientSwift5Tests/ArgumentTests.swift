import Resolver
import XCTest

class ArgumentTests: XCTestCase {
    var resolver: Resolver!

    override func setUp() {
        super.setUp()
        resolver = Resolver()
    }

    func testTheSingleArgumentIsReadByCallingArgs() {
        resolver.register { (_, args) in Page(args()) }
        let page: Page = resolver.resolve(args: "news")
        XCTAssertEqual(page.label, "news")
    }

    func testTheSingleArgumentIsReadByGet() {
        resolver.register { (_, args) in Page(args.get()) }
        let page: Page = resolver.resolve(args: "news")
        XCTAssertEqual(page.label, "news")
    }

    func testTheSingleArgumentIsReadByOptional() {
        resolver.register { (_, args) in Page(args.optional() ?? "untitled") }
        XCTAssertEqual(resolver.resolve(Page.self, args: "news").label, "news")
        XCTAssertEqual(resolver.resolve(Page.self).label, "untitled")
    }

    func testKeyedArgumentsAreReadByCallingArgs() {
        resolver.register { (_, args) in Page(args("title"), count: args("size")) }
        let page: Page = resolver.resolve(args: ["title": "news", "size": 3])
        XCTAssertEqual(page.label, "news")
        XCTAssertEqual(page.count, 3)
    }

    func testKeyedArgumentsAreReadByGet() {
        resolver.register { (_, args) in Page(args.get("title"), count: args.get("size")) }
        let page: Page = resolver.resolve(args: ["title": "news", "size": 3])
        XCTAssertEqual(page.label, "news")
        XCTAssertEqual(page.count, 3)
    }

    func testAMissingKeyedArgumentIsNilByOptional() {
        resolver.register { (_, args) in Page(args.optional("title") ?? "untitled", count: args.optional("size") ?? 1) }
        let page: Page = resolver.resolve(args: ["size": 3])
        XCTAssertEqual(page.label, "untitled")
        XCTAssertEqual(page.count, 3)
    }

    func testADictionaryOfOneTypeIsAlsoASetOfKeyedArguments() {
        resolver.register { (_, args) in Page(args.optional("wanted") == true ? "wanted" : "unwanted") }
        XCTAssertEqual(resolver.resolve(Page.self, args: ["wanted": true]).label, "wanted")
        XCTAssertEqual(resolver.resolve(Page.self, args: ["wanted": false]).label, "unwanted")
    }

    func testTheOnlyKeyedArgumentIsAlsoTheSingleOne() {
        resolver.register { (_, args) in Page(args()) }
        XCTAssertEqual(resolver.resolve(Page.self, args: ["title": "news"]).label, "news")
    }

    func testAnOptionalArgumentIsUnwrapped() {
        resolver.register { (_, args) in Page(count: args.get()) }
        let count: Int? = 5
        XCTAssertEqual(resolver.resolve(Page.self, args: count).count, 5)
    }

    func testArgumentsAreForwardedAsTheyAre() {
        resolver.register { (_, args) in Page(args("title"), count: args("size")) }
        resolver.register(Labelled.self) { r, args in r.resolve(Page.self, args: args) }
        let labelled: Labelled = resolver.resolve(args: ["title": "news", "size": 3])
        XCTAssertEqual(labelled.label, "news")
        XCTAssertEqual((labelled as? Page)?.count, 3)
    }

    func testWrappedArgumentsAreUnwrappedOnce() {
        let args = Resolver.Args(Resolver.Args("news"))
        let title: String = args()
        XCTAssertEqual(title, "news")
    }

    func testResolvePropertiesGetsTheArguments() {
        resolver.register { Page() }
            .resolveProperties { (_, page, args) in
                page.label = args("title")
                page.count = args.get("size")
            }
        let page: Page = resolver.resolve(args: ["title": "news", "size": 3])
        XCTAssertEqual(page.label, "news")
        XCTAssertEqual(page.count, 3)
    }

    func testResolvePropertiesGetsTheSingleArgument() {
        resolver.register { Page() }
            .resolveProperties { (_, page, args) in page.label = args() }
        XCTAssertEqual(resolver.resolve(Page.self, args: "news").label, "news")
    }

    func testArgumentsPassThroughImplements() {
        resolver.register { (_, args) in Page(args()) }
            .implements(Labelled.self)
        let labelled: Labelled = resolver.resolve(args: "news")
        XCTAssertEqual(labelled.label, "news")
    }

    func testKeyedArgumentsPassThroughImplementsIntoResolveProperties() {
        resolver.register { Page() }
            .implements(Labelled.self, name: .fred)
            .resolveProperties { (_, page, args) in page.label = args.get("title") }
        let labelled: Labelled? = resolver.optional(name: .fred, args: ["title": "news"])
        XCTAssertEqual(labelled?.label, "news")
    }

    func testAFactoryWithoutArgumentsIgnoresThem() {
        resolver.register { Page("fixed") }
        XCTAssertEqual(resolver.resolve(Page.self, args: "news").label, "fixed")
    }

    func testArgumentsOfAHitAreIgnored() {
        resolver.register { (_, args) in Page(args()) }.scope(.cached)
        let first: Page = resolver.resolve(args: "news")
        let second: Page = resolver.resolve(args: "sports")
        XCTAssertTrue(first === second)
        XCTAssertEqual(second.label, "news")
    }
}
