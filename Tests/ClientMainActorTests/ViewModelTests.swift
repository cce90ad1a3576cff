import Resolver
import Testing

/// Objects of the main actor with injected services.
@Suite struct ViewModelTests {
    private final class ViewModel {
        @Injected(container: .shop) var page: Page
        @Injected(name: .fred, container: .shop) var named: Page
        @OptionalInjected(name: .barney, container: .shop) var missing: Page?
        @LazyInjected(container: .shop) var lazy: Page
        @LazyInjected(container: .shop) var model: Model
        @WeakLazyInjected(container: .shop) var weak: Page?

        init(title: String = "title") {
            $model.args = title
        }
    }

    private struct Row {
        @Injected(container: .shop) var page: Page
        @LazyInjected(container: .shop) var lazy: Page
    }

    @Test func `nonisolated services are injected into a main-actor class`() {
        let model = ViewModel()
        #expect(model.page.label == "shop")
        #expect(model.named.label == "fred")
        #expect(model.missing == nil)
        #expect(model.$lazy.isEmpty)
        #expect(model.lazy === model.page)
        #expect(model.weak === model.page)
    }

    @Test func `property wrappers work in structs`() {
        let row = Row()
        #expect(row.lazy === row.page)
    }

    @Test func `main-actor services are injected with arguments`() async throws {
        // A lazy property traps if its service belongs to another actor, so this call checks first.
        try #require((try? Resolver.shop.tryResolve(Model.self, args: "asked"))?.title == "asked")
        #expect(ViewModel(title: "news").model.title == "news")
    }

    @Test func `a view model can be a service`() throws {
        let resolver = Resolver()
        resolver.register { @MainActor in ViewModel() }.scope(ResolverScopeShare())
        let model = try resolver.tryResolve(ViewModel.self)
        #expect(try resolver.tryResolve(ViewModel.self) === model)
    }

    @Test func `a nonisolated service can be resolved from any isolation`() async {
        let label = await Task.detached { Resolver.shop.resolve(Page.self).label }.value
        #expect(label == "shop")
        #expect(Resolver.shop.resolve(Page.self).label == "shop")
    }

    @Test func `a mock resolver precedes main`() {
        let mock = Resolver(child: .main)
        mock.register { Page("mock") }
        #expect(mock.resolve(Page.self).label == "mock")
        #expect(mock.optional(AppMarker.self)?.origin == "app")
    }
}

nonisolated extension Resolver {
    fileprivate static let shop: Resolver = {
        let resolver = Resolver()
        resolver.register { Page("shop") }.scope(.container)
        resolver.register(name: .fred) { Page("fred") }
        resolver.register { @MainActor _, args in Model(args()) }
        return resolver
    }()
}
