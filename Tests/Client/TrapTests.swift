import Resolver
import Testing

/// Calls that trap. Each test runs in its own process.
@Suite struct TrapTests {
    @Test(arguments: [false, true])
    func `an unregistered injected service traps, and a weak lazy one when it is read`(isLazy: Bool) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [isLazy] in
            let lazy = WeakLazyInjected<Leaf>(container: Resolver())
            if isLazy { _ = lazy.wrappedValue } else { _ = Injected<Leaf>(container: Resolver()) }
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        expect(text.contains("Fatal error: RESOLVER: 'Leaf:NONAME' not resolved"))
    }

    @Test func `an argument of the wrong type traps with service, key and types`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let resolver = Resolver()
            resolver.register { (_, args) in Page(args("title")) }
            _ = resolver.resolve(Page.self, args: ["title": 7])
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        expect(text.contains(String(reflecting: Page.self)))
        expect(text.contains("\"title\" as String, but Int was passed"))
    }
}
