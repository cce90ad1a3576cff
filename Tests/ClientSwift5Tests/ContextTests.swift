import Resolver
import XCTest

/// Screens, sessions and requests in an app in Swift 5 mode.
class ContextTests: XCTestCase {
    class Header {
        @Inject var page: Page?
        @Inject(name: .fred) var named: Page?
    }

    private let header = Header()

    private func register(_ label: String) {
        Resolver.registerScoped(Page.self, scope: .request) { Page(label) }
        Resolver.registerScoped(Page.self, name: .fred, scope: .request) { Page("fred's " + label) }
    }

    private func registerSlowly(_ label: String) async {
        await Resolver.registerScoped(Page.self, scope: .request) { Page(label) }
        await Resolver.registerScoped(Page.self, name: .fred, scope: .request) { Page("fred's " + label) }
    }

    private func labels() -> [String?] { [header.page?.label, header.named?.label] }

    // MARK: Registering

    func testASynchronousFunctionRegistersWithoutWaiting() {
        Resolver.withScope(.request, id: "1") {
            register("news")
            XCTAssertEqual(labels(), ["news", "fred's news"])
            XCTAssertTrue(Resolver.resolve(Page.self) === header.page)
        }
        XCTAssertEqual(labels(), [nil, nil])
    }

    func testAnAsynchronousFunctionRegistersWithAwait() async {
        await Resolver.withScope(.request, id: "1") {
            await registerSlowly("news")
            XCTAssertEqual(labels(), ["news", "fred's news"])
            XCTAssertTrue(Resolver.resolve(Page.self) === header.page)
        }
        XCTAssertEqual(labels(), [nil, nil])
    }

    func testAnAsynchronousServiceIsRegisteredInBothSpellings() async throws {
        func register() {
            Resolver.registerAsyncScoped(Note.self, scope: .request) { try await Note.load() }
        }
        try await Resolver.withScope(.request, id: "1") {
            register()
            await Resolver.registerAsyncScoped(Note.self, name: .fred, scope: .request) { await Note(slowly: "fred") }
            let note: Note = try await Resolver.resolveAsync()
            XCTAssertEqual(note.label, "loaded")
            XCTAssertTrue(Resolver.optional(Note.self) === note)
            let named = try await Resolver.optionalAsync(Note.self, name: .fred)
            XCTAssertEqual(named?.label, "fred")
        }
        let note = try await Resolver.optionalAsync(Note.self)
        XCTAssertNil(note)
    }

    func testOptionsMayFollowInBothSpellings() async {
        func register() {
            Resolver.registerScoped(Page.self, scope: .request) { Page("news") }.implements(Labelled.self)
        }
        await Resolver.withScope(.request, id: "1") {
            register()
            await Resolver.registerScoped(Page.self, name: .fred, scope: .request) { Page("fred") }
                .implements(Counting.self)
            XCTAssertEqual(Resolver.optional(Labelled.self)?.label, "news")
            XCTAssertNotNil(Resolver.optional(Counting.self))
        }
        XCTAssertNil(Resolver.optional(Labelled.self))
    }

    // MARK: Scopes

    func testWithScopeGivesWhatItsClosureReturns() async throws {
        let resolver = Resolver()
        resolver.register { Leaf() }.scoped(to: .request)
        func leaf() -> Leaf { Resolver.withScope(.request, id: "1") { resolver.resolve() } }
        XCTAssertFalse(leaf() === leaf())
        let isSame: Bool = await Resolver.withScope(.request, id: "1") {
            let leaf: Leaf = resolver.resolve()
            await Task.yield()
            return leaf === resolver.resolve(Leaf.self)
        }
        XCTAssertTrue(isSame)
    }

    func testWithScopeThrowsWhatItsClosureThrows() async {
        struct Broken: Error {}
        func fail() throws { try Resolver.withScope(.request, id: "1") { throw Broken() } }
        XCTAssertThrowsError(try fail()) { XCTAssert($0 is Broken) }
        do {
            try await Resolver.withScope(.request, id: "1") {
                await Task.yield()
                throw Broken()
            }
            XCTFail("it throws")
        } catch {
            XCTAssert(error is Broken)
        }
    }

    /// In an asynchronous function the call needs `await`, even if the closure does not suspend.
    func testAnAsynchronousFunctionUsesTheAsynchronousForm() async {
        let resolver = Resolver()
        resolver.register { Leaf() }.scoped(to: .request)
        let isSame = await Resolver.withScope(.request, id: "1") {
            resolver.resolve(Leaf.self) === resolver.resolve(Leaf.self)
        }
        XCTAssertTrue(isSame)
    }

    func testAHandlerSetsAndClearsByHand() async throws {
        func handle(_ label: String) async -> [String?] {
            ScopeContext.shared.setCurrent(.request, id: label)
            defer { ScopeContext.shared.clear(.request) }
            await registerSlowly(label)
            return labels()
        }
        let news = await handle("news"), weather = await handle("weather")
        XCTAssertEqual(news, ["news", "fred's news"])
        XCTAssertEqual(weather, ["weather", "fred's weather"])
        XCTAssertEqual(labels(), [nil, nil])
    }
}
