import Resolver
import Testing

/// The messages of trapping calls. Each test runs in its own process.
@Suite struct TrapTests {
    private func text(of result: ExitTest.Result?) throws -> String {
        String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    }

    @Test func `a missing service traps with the message of version 1 5 1`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Resolver().resolve(Leaf.self)
        }
        let text = try text(of: result)
        #expect(
            text.contains(
                "RESOLVER: 'Leaf:NONAME' not resolved. To disambiguate optionals use resolver.optional()."))
    }

    @Test func `the trap message includes the requested name`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Resolver().resolve(Leaf.self, name: .fred)
        }
        let text = try text(of: result)
        #expect(text.contains("RESOLVER: 'Leaf:Fred' not resolved."))
    }

    @Test func `resolve traps if the factory returns nil`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let resolver = Resolver()
            resolver.register(Leaf.self) { nil }
            _ = resolver.resolve(Leaf.self)
        }
        let text = try text(of: result)
        #expect(text.contains("RESOLVER: 'Leaf:NONAME' not resolved."))
        #expect(text.contains("its factory returned nil"))
    }

    @Test func `an unregistered injected service traps`() async {
        await #expect(processExitsWith: .failure) { _ = Injected<Leaf>(container: Resolver()) }
    }

    @Test func `an unregistered weak lazy service traps when it is read`() async {
        await #expect(processExitsWith: .failure) {
            _ = WeakLazyInjected<Leaf>(container: Resolver()).wrappedValue
        }
    }

    @Test func `an argument of the wrong type traps with service, key and types`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let resolver = Resolver()
            resolver.register { (_, args) in Page(args("title")) }
            _ = resolver.resolve(Page.self, args: ["title": 7])
        }
        let text = try text(of: result)
        #expect(text.contains(String(reflecting: Page.self)))
        #expect(text.contains("\"title\" as String, but Int was passed"))
    }

    @Test func `a circular dependency traps before the stack overflows`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let resolver = Resolver()
            resolver.register { r in Branch(r.resolve()) }
            resolver.register { r in r.resolve(Branch.self).leaf }
            _ = resolver.resolve(Branch.self)
        }
        let text = try text(of: result)
        #expect(text.contains("circular dependency"))
        #expect(text.contains("Branch") && text.contains("Leaf"))
    }

    @Test func `a resolver whose cache is the container scope traps before the stack overflows`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let resolver = Resolver()
            resolver.cache = ResolverScope.container
            resolver.register { Leaf() }.scope(.container)
            _ = resolver.resolve(Leaf.self)
        }
        let text = try text(of: result)
        #expect(text.contains("container scope"))
    }
}
