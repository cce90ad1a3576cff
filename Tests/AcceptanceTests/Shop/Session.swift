import Resolver

/// A customer's visit, from logging in to logging out.
final class Session {
    let customer: Customer, cart: Cart
    init(of customer: Customer, cart: Cart) { (self.customer, self.cart) = (customer, cart) }
}

/// What the customer is about to buy.
final class Cart {
    var lines: [Order.Line] = []
    /// The session holds the cart, so the cart does not hold the session.
    @WeakLazyInjected var session: Session?
}
