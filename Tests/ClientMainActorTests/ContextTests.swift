import Resolver
import Testing

/// Screens, sessions and requests in a main-actor module.
@Suite struct ContextTests {
    private final class Header {
        @Inject var page: Page?
        @Inject(name: .fred) var named: Page?
        @Inject var model: Model?

        var labels: [String?] { [page?.label, named?.label] }
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

    // MARK: Registering

    @Test func `a synchronous function registers without waiting`() {
        Resolver.withScope(.request, id: "1") {
            register("news")
            #expect(header.labels == ["news", "fred's news"])
            #expect(Resolver.resolve(Page.self) === header.page)
        }
        #expect(header.labels == [nil, nil])
    }

    @Test func `an asynchronous function registers with await`() async {
        await Resolver.withScope(.request, id: "1") {
            await registerSlowly("news")
            #expect(header.labels == ["news", "fred's news"])
            #expect(Resolver.resolve(Page.self) === header.page)
        }
        #expect(header.labels == [nil, nil])
    }

    @Test func `an asynchronous service is registered in both spellings`() async throws {
        func register() {
            Resolver.registerAsyncScoped(Note.self, scope: .request) { try await Note.load() }
        }
        try await Resolver.withScope(.request, id: "1") {
            register()
            await Resolver.registerAsyncScoped(Note.self, name: .fred, scope: .request) { await Note(slowly: "fred") }
            let note: Note = try await Resolver.resolveAsync()
            #expect(note.label == "loaded")
            #expect(Resolver.optional(Note.self) === note)
            #expect(try await Resolver.optionalAsync(Note.self, name: .fred)?.label == "fred")
        }
    }

    @Test func `nonisolated code registers in both spellings`() async {
        nonisolated func serve() -> String? {
            Resolver.withScope(.request, id: "1") {
                Resolver.registerScoped(Page.self, scope: .request) { Page("news") }
                return Resolver.optional(Page.self)?.label
            }
        }
        @concurrent func serveSlowly() async -> String? {
            await Resolver.withScope(.request, id: "2") {
                await Resolver.registerScoped(Page.self, scope: .request) { Page("weather") }
                return Resolver.optional(Page.self)?.label
            }
        }
        #expect(await Task.detached { serve() }.value == "news")
        #expect(await serveSlowly() == "weather")
    }

    // MARK: Services of the main actor

    @Test func `a model is created on the main actor for its screen`() {
        let screen = ScopeContext.shared.open(.screen, id: "list")
        defer { screen.end() }
        screen.register { @MainActor in Model("list") }
        screen.run {
            #expect(header.model?.title == "list")
            #expect(header.model === header.model)
        }
        #expect(header.model == nil)
    }

    @Test func `a model is registered with an asynchronous factory`() async throws {
        try await Resolver.withScope(.screen, id: "list") {
            await Resolver.registerAsyncScoped(Model.self, scope: .screen) { await Model("list") }
            #expect(header.model == nil)
            let model: Model = try await Resolver.resolveAsync()
            #expect(header.model === model)
        }
    }

    /// The closures use variables of the main actor.
    @Test func `closures of contexts run on the main actor`() async {
        var visited: [String] = []
        func visit() { Resolver.withScope(.request, id: "1") { visited.append("synchronous") } }
        visit()
        await Resolver.withScope(.request, id: "2") {
            await Task.yield()
            visited.append("asynchronous")
            MainActor.preconditionIsolated()
        }
        await ScopeContext.shared.open(.request, id: "3").run {
            await Task.yield()
            visited.append("of a handle")
        }
        #expect(visited == ["synchronous", "asynchronous", "of a handle"])
    }

    // MARK: Contexts

    @Test func `withScope returns its closure's result and rethrows its error`() async {
        struct Broken: Error {}
        let resolver = Resolver()
        resolver.register { Leaf() }.scoped(to: .request)
        func leaf() -> Leaf { Resolver.withScope(.request, id: "1") { resolver.resolve() } }
        #expect(leaf() !== leaf())
        let isSame: Bool = await Resolver.withScope(.request, id: "2") {
            let leaf: Leaf = resolver.resolve()
            await Task.yield()
            return leaf === resolver.resolve(Leaf.self)
        }
        #expect(isSame)
        func fail() throws { try Resolver.withScope(.request, id: "3") { throw Broken() } }
        #expect(throws: Broken.self) { try fail() }
        await #expect(throws: Broken.self) {
            try await Resolver.withScope(.request, id: "4") {
                await Task.yield()
                throw Broken()
            }
        }
    }

    @Test func `a handler may set and clear its request itself`() async {
        func handle(_ label: String) async -> [String?] {
            ScopeContext.shared.setCurrent(.request, id: label)
            defer { ScopeContext.shared.clear(.request) }
            await registerSlowly(label)
            return header.labels
        }
        #expect(await handle("news") == ["news", "fred's news"])
        #expect(await handle("weather") == ["weather", "fred's weather"])
        #expect(header.labels == [nil, nil])
    }
}
