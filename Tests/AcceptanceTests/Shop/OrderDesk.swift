import Resolver

/// A receiver of all orders. The shop registers none.
protocol Analytics { func ordered(_ receipt: Receipt) }

/// Takes orders: logs the customer in, fills the cart, checks out and sends the receipt.
final class OrderDesk {
    @Injected var catalogue: Catalogue
    @Injected(name: .retail) var shelfPrices: PriceList
    @LazyInjected var mail: MailConnection
    @OptionalInjected var analytics: (any Analytics)?
    @OptionalInjected(name: .card) var cardGateway: (any PaymentGateway)?

    /// - Parameter look: sees the checkout before the customer leaves.
    func take(_ order: Order, look: (Checkout) -> Void = { _ in }) throws -> Receipt {
        let session = try Resolver.tryResolve(Session.self, args: order.customer)
        defer { ResolverScope.session.reset() }
        session.cart.lines = order.lines
        let checkout = try Resolver.tryResolve(Checkout.self)
        look(checkout)
        let receipt = try checkout.complete(session.cart) { total in
            try order.coupon.map { try Resolver.tryResolve(Coupon.self, args: ["code": $0, "total": total]) }
        }
        mail.send("Receipt \(receipt.number.value) for \(session.customer.name)")
        analytics?.ordered(receipt)
        return receipt
    }
}
