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

        var pageIsEmpty: Bool { $page.isEmpty }
    }

    func testLazyInjectedAsksRootOrTheContainerByNameAtTheFirstRead() {
        let reader = Reader()
        Resolver.register { Page("later") }
        XCTAssertEqual(reader.page.label, "later")
        XCTAssertEqual(reader.named.label, "root's fred")
        XCTAssertEqual(reader.contained.label, "custom")
    }

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
        @WeakLazyInjected var labelled: Labelled?
        @WeakLazyInjected(name: .fred) var named: Page?
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

    func testWeakLazyInjectedHoldsAnObjectBehindAProtocolWeakly() {
        Resolver.register { Page("shared") }.implements(Labelled.self).scope(.shared)
        let watcher = Watcher()
        var page: Page? = Resolver.resolve(Page.self)
        XCTAssertEqual(watcher.labelled?.label, "shared")
        page = nil
        XCTAssertNil(page)
        XCTAssertNil(watcher.labelled)
    }

    func testAWeakServiceTakesArgumentsNameAndContainerAndCanBeAssigned() {
        let watcher = Watcher(), named: Page = Resolver.resolve(name: .fred), page = Page("assigned")
        watcher.$page.name = .fred
        watcher.$page.container = Resolver.root
        watcher.$page.args = "ignored"
        XCTAssertTrue(watcher.page === named)
        XCTAssertTrue(watcher.named === named)
        watcher.page = page
        XCTAssertTrue(watcher.page === page)
        watcher.page = nil
        XCTAssertNil(watcher.page)
    }
}
