import Resolver
import XCTest

/// The two wrappers that resolve at the first read.
class LazyInjectedTests: ProcessWideTestCase {
    override func setUp() {
        super.setUp()
        Resolver.register { (_, args) in Page(args.optional() ?? "root") }.scope(.shared)
        Resolver.register(name: .fred) { Page("root's fred") }.scope(.shared)
        Resolver.custom.register { Page("custom") }.scope(.shared)
    }

    class Reader {
        @LazyInjected var page: Page
        @LazyInjected(name: .fred) var named: Page
        @LazyInjected(container: .custom) var contained: Page

        init() {}

        init(title: String) { $page.args = title }

        var pageIsEmpty: Bool { $page.isEmpty }
    }

    func testLazyInjectedAsksRootOrTheContainerByName() {
        let reader = Reader()
        XCTAssertEqual(reader.page.label, "root")
        XCTAssertEqual(reader.named.label, "root's fred")
        XCTAssertEqual(reader.contained.label, "custom")
    }

    func testLazyInjectedIsEmptyUntilTheFirstRead() {
        let reader = Reader()
        XCTAssertTrue(reader.pageIsEmpty)
        let page = reader.page
        XCTAssertFalse(reader.pageIsEmpty)
        XCTAssertTrue(page === reader.page)
    }

    func testLazyInjectedSeesWhatIsRegisteredBeforeTheFirstRead() {
        let reader = Reader()
        Resolver.register { Page("later") }
        XCTAssertEqual(reader.page.label, "later")
    }

    func testLazyInjectedPassesArguments() { XCTAssertEqual(Reader(title: "news").page.label, "news") }

    func testNameAndContainerOfALazyServiceCanBeSetUntilTheFirstRead() {
        let reader = Reader()
        reader.$page.name = .fred
        reader.$contained.container = nil
        XCTAssertEqual(reader.page.label, "root's fred")
        XCTAssertEqual(reader.contained.label, "root")
        reader.$page.name = nil
        XCTAssertEqual(reader.page.label, "root's fred")
    }

    func testALazyServiceCanBeAssigned() {
        let reader = Reader()
        reader.page = Page("assigned")
        XCTAssertFalse(reader.pageIsEmpty)
        XCTAssertEqual(reader.page.label, "assigned")
        XCTAssertEqual(reader.$page.wrappedValue.label, "assigned")
    }

    class Watcher {
        @WeakLazyInjected var page: Page?
        @WeakLazyInjected(name: .fred) var named: Page?
        @WeakLazyInjected(container: .custom) var contained: Page?
        @WeakLazyInjected var labelled: Labelled?
    }

    func testWeakLazyInjectedDoesNotHoldTheObject() {
        let watcher = Watcher()
        var page: Page? = Resolver.resolve(Page.self)
        XCTAssertTrue(watcher.$page.isEmpty)
        XCTAssertTrue(watcher.page === page)
        XCTAssertFalse(watcher.$page.isEmpty)
        page = nil
        XCTAssertNil(watcher.page)
        XCTAssertTrue(watcher.$page.isEmpty)
    }

    func testWeakLazyInjectedDoesNotResolveASecondTime() {
        let watcher = Watcher()
        XCTAssertNotNil(watcher.page)
        let page: Page = Resolver.resolve()
        XCTAssertNil(watcher.page)
        withExtendedLifetime(page) {}
    }

    func testWeakLazyInjectedAsksByNameAndContainer() {
        let watcher = Watcher(), fred: Page = Resolver.resolve(name: .fred)
        let custom: Page = Resolver.custom.resolve()
        XCTAssertTrue(watcher.named === fred)
        XCTAssertTrue(watcher.contained === custom)
    }

    func testWeakLazyInjectedHoldsAnObjectBehindAProtocolWeakly() {
        Resolver.register { Page("shared") }.implements(Labelled.self).scope(.shared)
        let watcher = Watcher()
        var page: Page? = Resolver.resolve(Page.self)
        XCTAssertEqual(watcher.labelled?.label, "shared")
        page = nil
        XCTAssertNil(page)
        XCTAssertNil(watcher.labelled)
    }

    func testAWeakServiceCanBeAssigned() {
        let watcher = Watcher(), page = Page("assigned")
        watcher.page = page
        XCTAssertTrue(watcher.page === page)
        watcher.page = nil
        XCTAssertNil(watcher.page)
    }

    func testAWeakServiceTakesArgumentsNameAndContainer() {
        let watcher = Watcher(), named: Page = Resolver.resolve(name: .fred)
        watcher.$page.name = .fred
        watcher.$page.container = Resolver.root
        watcher.$page.args = "ignored"
        XCTAssertTrue(watcher.page === named)
    }
}
