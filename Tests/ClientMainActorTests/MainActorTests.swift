import Resolver
import Testing

/// Services of the main actor and nonisolated code in a main-actor module.
@Suite struct MainActorTests {
    private final class Header { @Inject var model: Model? }

    private let header = Header(), resolver = Resolver()

    @Test func `services of the main actor share a resolution cycle`() throws {
        final class Screen {
            let model: Model, header: Header
            init(_ model: Model, _ header: Header) { (self.model, self.header) = (model, header) }
        }

        final class Header {
            let model: Model
            init(_ model: Model) { self.model = model }
        }
        resolver.register { @MainActor in Model() }
        resolver.register { @MainActor r in try Header(r.tryResolve()) }
        resolver.register { @MainActor r in try Screen(r.tryResolve(), r.tryResolve()) }
        let screen = try resolver.tryResolve(Screen.self)
        expect(screen.model === screen.header.model)
    }

    @Test func `a service of the main actor may be shared, and have an alias of its actor`() throws {
        resolver.register { @MainActor in Model() }.implements(Titled.self).scope(ResolverScopeShare())
        let titled = try resolver.tryResolve(Titled.self)
        try expect(resolver.tryResolve(Model.self) === titled)
    }

    @Test func `a plain factory in a main-actor module is nonisolated`() async {
        resolver.register { Leaf() }
        await expect(Task.detached { [resolver] in try? resolver.tryResolve(Leaf.self) }.value != nil)
    }

    @Test func `a view model can resolve in its own functions`() async throws {
        final class Screen {
            private(set) var model: Model?

            func load(from resolver: Resolver) async throws { model = try await resolver.optionalAsync() }
        }
        let screen = Screen()
        try await screen.load(from: resolver)
        expect(screen.model, is: nil)
        resolver.register { @MainActor in Model() }
        try await screen.load(from: resolver)
        expect(screen.model?.title, is: "model")
    }

    /// A lazy property traps if its service belongs to another actor, so the test checks first.
    @Test func `a service of the main actor is injected with arguments`() throws {
        final class ViewModel {
            @LazyInjected var model: Model

            init(title: String, from resolver: Resolver) {
                $model.container = resolver
                $model.args = title
            }
        }
        resolver.register { @MainActor _, args in Model(args()) }
        try #require((try? resolver.tryResolve(Model.self, args: "asked"))?.title == "asked")
        expect(ViewModel(title: "news", from: resolver).model.title, is: "news")
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
        await expect(Task.detached { serve() }.value, is: "news")
        await expect(serveSlowly(), is: "weather")
    }

    @Test func `a model is created on the main actor for its screen`() {
        let screen = ScopeContext.shared.open(.screen, id: "list")
        defer { screen.end() }
        screen.register { @MainActor in Model("list") }
        screen.run {
            expect(header.model?.title, is: "list")
            expect(header.model === header.model)
        }
        expect(header.model, is: nil)
    }

    @Test func `a model is registered with an asynchronous factory`() async throws {
        try await Resolver.withScope(.screen, id: "list") {
            await Resolver.registerAsyncScoped(Model.self, scope: .screen) { await Model("list") }
            expect(header.model, is: nil)
            let model: Model = try await Resolver.resolveAsync()
            expect(header.model === model)
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
        expect(visited, is: ["synchronous", "asynchronous", "of a handle"])
    }
}

// Declarations without `nonisolated` belong to the main actor.

protocol Titled: AnyObject { var title: String { get } }

final class Model: Titled {
    var title: String
    init(_ title: String = "model") { self.title = title }
}
