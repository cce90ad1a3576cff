import Resolver
import ResolverTesting
import XCTest

/// The form for XCTest. Each test finds the registrations of its own `setUp` and none of other tests.
class InvokeTestTests: XCTestCase {
    override func invokeTest() { Resolver.withTestResolver { super.invokeTest() } }

    override func setUp() {
        super.setUp()
        Resolver.register { Note(by: "setUp") }.scope(.application)
    }

    override func tearDown() {
        XCTAssertEqual(Resolver.resolve(Note.self).lines.value, 1)
        super.tearDown()
    }

    private func expectToBeAlone() {
        XCTAssertNil(Resolver.optional(String.self))
        XCTAssertNil(ScopeContext.shared.currentID(for: .session))
        let note: Note = Resolver.resolve()
        XCTAssertEqual(note.author, "setUp")
        XCTAssertEqual(note.lines.increment(), 1)
        ScopeContext.shared.setCurrent(.session, id: name)
        Resolver.register { "a text" }
        XCTAssertNotNil(Resolver.optional(String.self))
    }

    func testOne() { expectToBeAlone() }

    func testAnother() { expectToBeAlone() }

    func testAnAsynchronousOne() async {
        expectToBeAlone()
        let found = await Task { Resolver.optional(String.self) }.value
        XCTAssertEqual(found, "a text")
    }
}
