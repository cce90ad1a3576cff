import Resolver
import Testing

/// Calls that trap. Each test runs in its own process.
@Suite struct TrapTests {
    @Test func `an unregistered injected service traps`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Injected<Leaf>(container: Resolver())
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("Fatal error: RESOLVER: 'Leaf:NONAME' not resolved"))
    }

    @Test func `an unregistered weak lazy service traps when it is read`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = WeakLazyInjected<Leaf>(container: Resolver()).wrappedValue
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("Fatal error: RESOLVER: 'Leaf:NONAME' not resolved"))
    }

    @Test func `an argument of the wrong type traps with service, key and types`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let resolver = Resolver()
            resolver.register { (_, args) in Page(args("title")) }
            _ = resolver.resolve(Page.self, args: ["title": 7])
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains(String(reflecting: Page.self)))
        #expect(text.contains("\"title\" as String, but Int was passed"))
    }
}
