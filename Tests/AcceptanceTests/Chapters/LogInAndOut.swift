import Resolver

/// A scope of the shop's own, ended by `reset()`, hooks that run then, and a reference that does not hold.
///
/// Such a cache is enough for one customer at a time, if the container needs to know only when the visit ends.
/// For more there are contexts: see `signInAtTheTerminal`.
func logInAndOut() throws {
    section("Logging in and out")

    step("Before the first login")
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
        claim("a call without an argument returns her session", Resolver.resolve(Session.self) === ada)
        claim("and a call for the cart returns hers", Resolver.resolve(Cart.self) === cart)
        claim("@WeakLazyInjected leads from the cart to the session", cart.session === ada)
        claim("the cart was made first, for the session", Journal.made.value == ["Cart", "Session"])
    }
    let retail: PriceList = Resolver.resolve(name: .retail)

    step("Ada logs out")
    claim("only the scope held the session", session != nil)
    ResolverScope.session.reset()
    claim("when reset() returned, the session was gone", session == nil)
    claim("only these hooks ran, the youngest first", Journal.released.value == ["Session", "Cart"])
    claim("another scope still keeps the prices", Resolver.existing(PriceList.self, name: .retail) === retail)
    claim("the cart, which is held here, no longer has a session", cart.session == nil)
    claim("no customer is logged in", Resolver.existing(Session.self) == nil)

    step("Boris logs in")
    let boris = try Resolver.tryResolve(Session.self, args: "boris")
    claim("he has a cart of his own, and it is empty", boris.cart !== cart && boris.cart.lines.isEmpty)
    ResolverScope.session.reset()

    step("A stranger tries to log in")
    let error = failure { try Resolver.tryResolve(Session.self, args: "mallory") }
    claim("the stranger was turned away", error?.underlying as? ShopError == .unknown("mallory"))
    claim("no session was kept", Resolver.existing(Session.self) == nil)
}
