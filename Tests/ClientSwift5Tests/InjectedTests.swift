import Resolver
import XCTest

extension Resolver { static let custom = Resolver() }

/// The four wrappers.
class InjectedTests: ProcessWideTestCase {
    override func setUp() {
        super.setUp()
        Resolver.register { (_, args) in Page(args.optional() ?? "root") }.scope(.shared)
        Resolver.register(name: .fred) { Page("root's fred") }.scope(.shared)
        Resolver.custom.register { Page("custom") }
        Resolver.custom.register(name: .fred) { Page("custom's fred") }
    }

    class Reader {
        @Injected var page: Page
        @Injected(name: .fred) var named: Page
        @Injected(container: .custom) var contained: Page
        @Injected(name: .fred, container: .custom) var namedAndContained: Page
    }

    func testInjectedAsksRootOrTheContainerByNameWhenItIsMade() {
        let reader = Reader()
        Resolver.register { Page("later") }
        XCTAssertEqual(reader.page.label, "root")
        XCTAssertEqual(reader.named.label, "root's fred")
        XCTAssertEqual(reader.contained.label, "custom")
        XCTAssertEqual(reader.namedAndContained.label, "custom's fred")
    }

    func testAnInjectedServiceCanBeReplaced() {
        let reader = Reader()
        reader.page = Page("assigned")
        XCTAssertEqual(reader.page.label, "assigned")
        reader.$page = Injected()
        XCTAssertEqual(reader.page.label, "root")
        XCTAssertEqual(reader.$page.wrappedValue.label, "root")
    }

    class Shelf {
        @OptionalInjected var page: Page?
        @OptionalInjected(name: .fred) var named: Page?
        @OptionalInjected(name: .barney) var missing: Page?
        @OptionalInjected(container: .custom) var contained: Page?
        @OptionalInjected var leaf: Leaf?
    }

    func testOptionalInjectedIsNilForWhatIsNotRegisteredAndCanBeSetToNil() {
        let shelf = Shelf()
        XCTAssertEqual(shelf.page?.label, "root")
        XCTAssertEqual(shelf.named?.label, "root's fred")
        XCTAssertEqual(shelf.contained?.label, "custom")
        XCTAssertNil(shelf.missing)
        XCTAssertNil(shelf.leaf)
        shelf.page = nil
        XCTAssertNil(shelf.page)
        shelf.$page = OptionalInjected(name: .fred)
        XCTAssertEqual(shelf.$page.wrappedValue?.label, "root's fred")
    }

    func testWrappersWorkInStructsAndInheritedClasses() {
        struct Card {
            @Injected var page: Page
            @OptionalInjected var leaf: Leaf?
        }
        class Annotated: Reader { @Injected var note: Page }
        XCTAssertEqual(Card().page.label, "root")
        XCTAssertNil(Card().leaf)
        XCTAssertEqual(Annotated().note.label, "root")
    }

    func testWrappersOfAServiceInTheMakingJoinItsCycle() {
        class Reading {
            @Injected var reader: OneReader
            @Injected var page: Page
        }
        class OneReader { @Injected var page: Page }
        Resolver.register { OneReader() }
        Resolver.register { Reading() }
        let reading: Reading = Resolver.resolve()
        XCTAssertTrue(reading.reader.page === reading.page)
    }

    class LazyReader {
        @LazyInjected var page: Page
        @LazyInjected(name: .fred) var named: Page
        @LazyInjected(container: .custom) var contained: Page

        var pageIsEmpty: Bool { $page.isEmpty }
    }

    func testLazyInjectedAsksRootOrTheContainerByNameAtTheFirstRead() {
        let reader = LazyReader()
        Resolver.register { Page("later") }
        XCTAssertEqual(reader.page.label, "later")
        XCTAssertEqual(reader.named.label, "root's fred")
        XCTAssertEqual(reader.contained.label, "custom")
    }

    func testNameAndContainerOfALazyServiceCanBeSetUntilTheFirstRead() {
        let reader = LazyReader()
        reader.$page.name = .fred
        reader.$contained.container = nil
        XCTAssertEqual(reader.page.label, "root's fred")
        XCTAssertEqual(reader.contained.label, "root")
        reader.$page.name = nil
        XCTAssertEqual(reader.page.label, "root's fred")
    }

    func testALazyServiceCanBeAssigned() {
        let reader = LazyReader()
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
