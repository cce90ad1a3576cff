import Resolver
import XCTest

extension Resolver { static let custom = Resolver() }

/// The two wrappers that resolve at once.
class InjectedTests: ProcessWideTestCase {
    override func setUp() {
        super.setUp()
        Resolver.register { Page("root") }
        Resolver.register(name: .fred) { Page("root's fred") }
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
}
