import Resolver

/// A scope of the shop's own, ended by `reset()`, hooks that run then, and a reference that does not hold.
///
/// Such a cache is enough for one customer at a time, of whom the container has to know no more than when the visit is over.
/// For more there are contexts: see `signInAtTheTerminal`.
func logInAndOut() throws {
    section("Logging in and out")

    step("Nobody is logged in")
    claim("there is no session", Resolver.existing(Session.self) == nil)

    step("Ada logs in and fills her cart")
    weak var session: Session?
    let cart: Cart
    do {
        let ada = try Resolver.tryResolve(Session.self, args: "ada")
        session = ada
        cart = ada.cart
        cart.lines = [Order.Line(sku: "sencha", count: 1)]
        claim("the argument chose the customer", ada.customer.name == "Ada")
        claim("whoever asks now gets her session, without an argument", Resolver.resolve(Session.self) === ada)
        claim("and her cart", Resolver.resolve(Cart.self) === cart)
        claim("@WeakLazyInjected leads from the cart to the session", cart.session === ada)
        claim("the cart was made first, for the session", Journal.shared.madeInThisStep == ["Cart", "Session"])
    }
    let retail: PriceList = Resolver.resolve(name: .retail)

    step("Ada logs out")
    claim("the scope was all that held the session", session != nil)
    ResolverScope.session.reset()
    claim("when reset() returned, the session was gone", session == nil)
    claim("the hooks ran the other way round, and no others", Journal.shared.releasedInThisStep == ["Session", "Cart"])
    claim(
        "the prices, which another scope keeps, are there", Resolver.existing(PriceList.self, name: .retail) === retail)
    claim("the cart, which is still held here, has no session any more", cart.session == nil)
    claim("nobody is logged in", Resolver.existing(Session.self) == nil)

    step("Boris logs in")
    let boris = try Resolver.tryResolve(Session.self, args: "boris")
    claim("he has a cart of his own, and it is empty", boris.cart !== cart && boris.cart.lines.isEmpty)
    ResolverScope.session.reset()

    step("A stranger tries to log in")
    do {
        _ = try Resolver.tryResolve(Session.self, args: "mallory")
        claim("the stranger was turned away", false)
    } catch {
        claim("the stranger was turned away", error.underlying as? ShopError == .unknownCustomer("mallory"))
    }
    claim("no session came of it", Resolver.existing(Session.self) == nil)
}
