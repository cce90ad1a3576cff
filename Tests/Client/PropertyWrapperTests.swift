import Resolver
import Testing

/// The four wrappers, in classes and structs of a Swift 6 module.
@Suite struct PropertyWrapperTests {
    private final class Reader {
        @Injected(container: .shelf) var page: Page
        @Injected(name: .fred, container: .shelf) var named: Page
        @OptionalInjected(container: .shelf) var optional: Page?
        @OptionalInjected(name: .barney, container: .shelf) var missing: Page?
        @LazyInjected(container: .shelf) var lazy: Page
        @LazyInjected(name: .fred, container: .shelf) var lazyNamed: Page
        @WeakLazyInjected(container: .shelf) var weak: Page?

        init(title: String = "fred") { $lazyNamed.args = title }
    }

    private struct Card {
        @Injected(container: .shelf) var page: Page
        @OptionalInjected(name: .barney, container: .shelf) var missing: Page?
        @LazyInjected(container: .shelf) var lazy: Page
        @WeakLazyInjected(container: .shelf) var weak: Page?
    }

    @Test func `property wrappers work in a final class`() {
        let reader = Reader(title: "news")
        expect(reader.page.label, is: "shelf")
        expect(reader.named.label, is: "fred")
        expect(reader.optional?.label, is: "shelf")
        expect(reader.missing, is: nil)
        expect(reader.$lazy.isEmpty)
        expect(reader.lazy === reader.page)
        expect(!reader.$lazy.isEmpty)
        expect(reader.lazyNamed.label, is: "news")
        expect(reader.weak === reader.page)
    }

    @Test func `property wrappers work in a constant struct`() {
        let card = Card()
        expect(card.page.label, is: "shelf")
        expect(card.missing, is: nil)
        expect(card.lazy === card.page)
        expect(card.weak === card.page)
    }

    @Test func `a released lazy service is resolved again`() {
        var card = Card()
        let first = card.lazy
        card.$lazy.release()
        expect(card.$lazy.isEmpty)
        expect(card.lazy === first)
        card.$lazy.release()
        card.$lazy.name = .fred
        expect(card.lazy !== first)
    }

    nonisolated private final class RootOnly {}

    @Test func `an optional service of a container is resolved from that container only`() {
        Resolver.root.register { RootOnly() }
        expect(OptionalInjected<RootOnly>(container: .shelf).wrappedValue, is: nil)
        expect(OptionalInjected<RootOnly>().wrappedValue != nil)
    }
}
