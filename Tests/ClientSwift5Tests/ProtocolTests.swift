import Resolver
import XCTest

class ProtocolTests: XCTestCase {
    var resolver: Resolver!

    override func setUp() {
        super.setUp()
        resolver = Resolver()
    }

    func testACastInTheFactoryRegistersTheProtocolOnly() {
        resolver.register { Page("news") as Labelled }
        XCTAssertEqual(resolver.resolve(Labelled.self).label, "news")
        XCTAssertNil(resolver.optional(Page.self))
    }

    func testAProtocolIsResolvedByForwardingToTheClass() {
        resolver.register { Page("news") }
        resolver.register { r in r.resolve(Page.self) as Labelled }
        XCTAssertEqual(resolver.resolve(Labelled.self).label, "news")
    }

    func testImplementsAddsAProtocol() {
        resolver.register { Page("news") }.implements(Labelled.self)
        let labelled: Labelled = resolver.resolve()
        XCTAssertTrue(labelled is Page)
        XCTAssertNotNil(resolver.optional(Page.self))
    }

    func testAServiceImplementsSeveralProtocols() {
        resolver.register { Page("news", count: 2) }
            .implements(Labelled.self)
            .implements(Counting.self)
        XCTAssertEqual(resolver.resolve(Labelled.self).label, "news")
        XCTAssertEqual(resolver.resolve(Counting.self).count, 2)
    }

    func testAProtocolCanBeImplementedUnderSeveralNames() {
        resolver.register { Page("fred") }.implements(Labelled.self, name: .fred)
        resolver.register { Sign(label: "barney") }.implements(Labelled.self, name: .barney)
        XCTAssertEqual(resolver.resolve(Labelled.self, name: .fred).label, "fred")
        XCTAssertEqual(resolver.resolve(Labelled.self, name: .barney).label, "barney")
        XCTAssertNil(resolver.optional(Labelled.self))
    }

    func testASharedServiceIsOneBehindAllItsProtocols() {
        resolver.register { Page() }
            .implements(Labelled.self)
            .implements(Counting.self)
            .scope(.shared)
        let page: Page = resolver.resolve()
        let labelled: Labelled = resolver.resolve()
        let counting: Counting = resolver.resolve()
        XCTAssertTrue(labelled as? Page === page)
        XCTAssertTrue(counting as? Page === page)
    }

    func testTheOrderOfScopeAndImplementsDoesNotMatter() {
        resolver.register { Page() }
            .scope(.shared)
            .implements(Labelled.self)
        let page: Page = resolver.resolve()
        let labelled: Labelled = resolver.resolve()
        XCTAssertTrue(labelled as? Page === page)
    }

    func testACachedServiceIsRenewedBehindItsProtocolToo() {
        let cache = ResolverScopeCache()
        resolver.register { Page() }.implements(Labelled.self).scope(cache)
        let page: Page = resolver.resolve()
        XCTAssertTrue(resolver.resolve(Labelled.self) as? Page === page)
        cache.reset()
        let renewed: Labelled = resolver.resolve()
        XCTAssertFalse(renewed as? Page === page)
        XCTAssertTrue(renewed as? Page === resolver.resolve(Page.self))
    }

    func testAGraphServiceIsOneBehindItsProtocolWithinACycle() {
        class Reader {
            let page: Page
            let labelled: Labelled

            init(_ page: Page, _ labelled: Labelled) {
                self.page = page
                self.labelled = labelled
            }
        }
        resolver.register { Page() }.implements(Labelled.self)
        resolver.register { r in Reader(r.resolve(), r.resolve()) }
        let reader: Reader = resolver.resolve()
        XCTAssertTrue(reader.labelled as? Page === reader.page)
        XCTAssertFalse(resolver.resolve(Labelled.self) as? Page === reader.page)
    }

    func testAValueImplementsAProtocol() {
        resolver.register { Sign(label: "stop") }.implements(Labelled.self).scope(.cached)
        XCTAssertEqual(resolver.resolve(Labelled.self).label, "stop")
    }

    func testASubclassImplementsItsSuperclass() {
        class Cover: Page {}
        resolver.register { Cover("cover") }.implements(Page.self)
        XCTAssertTrue(resolver.resolve(Page.self) is Cover)
    }

    func testAServiceThatIsNotOfTheProtocolIsNotResolvedByIt() {
        resolver.register { Leaf() }.implements(Labelled.self)
        XCTAssertNil(resolver.optional(Labelled.self))
    }
}
