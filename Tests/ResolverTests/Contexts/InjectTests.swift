import Resolver
import Testing

/// A wrapper that looks each time it is read.
@Suite struct InjectTests {
    private final class Cart: Sendable {}
    private final class Missing: Sendable {}

    private struct Page {
        @Inject var cart: Cart?
        @Inject(name: "gift") var gift: Cart?
    }

    @Test func `is nil before a scope its service meanwhile and nil again afterwards`() {
        let page = Page()
        #expect(page.cart == nil)
        Resolver.withScope(.session, id: "user") {
            Resolver.registerScoped(Cart.self, scope: .session) { Cart() }
            #expect(page.cart != nil)
            #expect(page.cart === page.cart)
            #expect(page.cart === Resolver.optional(Cart.self))
        }
        #expect(page.cart == nil)
    }

    @Test func `follows the scope that is current when it is read`() {
        let resolver = Resolver(), page = Inject<Cart>(container: resolver)
        resolver.register { Cart() }.scoped(to: .session)
        let carts = ["one", "two"].map { id in Resolver.withScope(.session, id: id) { page.wrappedValue } }
        #expect(carts.allSatisfy { $0 != nil })
        #expect(carts[0] !== carts[1])
    }

    @Test func `holds nothing`() {
        let page = Page()
        let scope = ScopeContext.shared.setCurrent(ScopeKind("inject", rank: 10, binding: .execution), id: "a")
        scope.register { Cart() }
        weak let cart = scope.run { page.cart }
        #expect(cart != nil)
        scope.end()
        #expect(cart == nil)
    }

    @Test func `finds by name`() {
        Resolver.withScope(.session, id: "user") {
            Resolver.registerScoped(Cart.self, name: "gift", scope: .session) { Cart() }
            let page = Page()
            #expect(page.gift != nil)
            #expect(page.cart == nil)
        }
    }

    @Test func `is nil without a trap where nothing is registered`() {
        #expect(Inject<Missing>().wrappedValue == nil)
    }
}
