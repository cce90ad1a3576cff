import Resolver
import Testing

@Suite struct ContextTests {
    private struct Header {
        @Inject var page: Page?
        @Inject(name: .fred) var named: Page?

        var labels: [String?] { [page?.label, named?.label] }
    }

    private let header = Header()

    private func register(_ label: String) {
        Resolver.registerScoped(Page.self, scope: .request) { Page(label) }
        Resolver.registerScoped(Page.self, name: .fred, scope: .request) { Page("fred's " + label) }
    }

    @Test func `a synchronous function registers without waiting`() {
        Resolver.withScope(.request, id: "1") {
            register("news")
            expect(header.labels, is: ["news", "fred's news"])
            expect(Resolver.resolve(Page.self) === header.page)
        }
        expect(header.labels, is: [nil, nil])
    }

    @Test func `an asynchronous service is registered in both spellings`() async throws {
        func register() { Resolver.registerAsyncScoped(Note.self, scope: .request) { try await Note.load() } }
        try await Resolver.withScope(.request, id: "1") {
            register()
            await Resolver.registerAsyncScoped(Note.self, name: .fred, scope: .request) { await Note(slowly: "fred") }
            let note: Note = try await Resolver.resolveAsync()
            expect(note.label, is: "loaded")
            expect(Resolver.optional(Note.self) === note)
            try await expect(Resolver.optionalAsync(Note.self, name: .fred)?.label, is: "fred")
        }
        try await expect(Resolver.optionalAsync(Note.self), is: nil)
    }

    @Test func `options can follow a registration in both spellings`() async {
        let labels = Box<[String]>([])
        func register() {
            Resolver.registerScoped(Page.self, scope: .request) { Page("news") }
                .implements(Labelled.self).onRelease { page in labels.append(page.label) }
        }
        await Resolver.withScope(.request, id: "1") {
            register()
            await Resolver.registerScoped(Page.self, name: .fred, scope: .request) { Page("fred") }
                .implements(Counting.self).onRelease { page in labels.append(page.label) }
            expect(Resolver.optional(Labelled.self) as? Page === header.page)
            expect(Resolver.optional(Counting.self) as? Page === header.named)
        }
        expect(labels.value, is: ["fred", "news"])
        expect(Resolver.optional(Labelled.self), is: nil)
    }

    @Test func `an actor can register and read scoped services`() async {
        actor Desk {
            @Inject private var page: Page?

            func serve() -> String? {
                Resolver.withScope(.request, id: "1") {
                    Resolver.registerScoped(Page.self, scope: .request) { Page("news") }
                    return page?.label
                }
            }

            func serveSlowly() async -> String? {
                await Resolver.withScope(.request, id: "2") {
                    await Resolver.registerScoped(Page.self, scope: .request) { Page("weather") }
                    return page?.label
                }
            }
        }
        let desk = Desk()
        await expect(desk.serve(), is: "news")
        await expect(desk.serveSlowly(), is: "weather")
    }

    @Test func `withScope returns its closure's result`() async {
        let resolver = Resolver()
        resolver.register { Leaf() }.scoped(to: .request)
        func leaf() -> Leaf { Resolver.withScope(.request, id: "1") { resolver.resolve() } }
        expect(leaf() !== leaf())
        let isSame: Bool = await Resolver.withScope(.request, id: "1") {
            let leaf: Leaf = resolver.resolve()
            await Task.yield()
            return leaf === resolver.resolve(Leaf.self)
        }
        expect(isSame)
    }

    /// The error is typed: the caller need not catch any other.
    @Test func `withScope rethrows its closure's typed error`() async {
        func fail() throws(Unplugged) {
            try Resolver.withScope(.request, id: "1") { () throws(Unplugged) in throw Unplugged(socket: 1) }
        }
        func failSlowly() async throws(Unplugged) {
            try await Resolver.withScope(.request, id: "2") { () async throws(Unplugged) in
                await Task.yield()
                throw Unplugged(socket: 2)
            }
        }
        #expect(throws: Unplugged(socket: 1)) { try fail() }
        await #expect(throws: Unplugged(socket: 2)) { try await failSlowly() }
    }

    /// The context kind, and the scope that apps for 1.5.1 have under the same name.
    @Test func `a ScopeKind and a ResolverScope of an app may have the same name`() {
        let resolver = Resolver()
        resolver.register { Leaf() }.scope(.session)
        resolver.register(name: .fred) { Leaf() }.scoped(to: .session)
        Resolver.withScope(.session, id: "ada") {
            expect(resolver.resolve(Leaf.self, name: .fred) === resolver.resolve(Leaf.self, name: .fred))
        }
        expect(resolver.existing(Leaf.self, name: .fred), is: nil)
    }
}
