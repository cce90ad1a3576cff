import Resolver

/// A factory that throws: the error says which, and carries what was thrown.
func refuse(_ order: Order, at desk: OrderDesk) {
    step("An order with a coupon that is closed")
    let card: any PaymentGateway = Resolver.resolve(name: .card)
    let warehouse: Warehouse = Resolver.resolve(), before = (card.charged, warehouse.counts)
    let error = failure { try desk.take(order) }
    quote(error?.description ?? "the order was taken")
    claim(
        "the factory of the coupon failed", error?.code == .factoryFailed && error?.service.hasSuffix("Coupon") == true)
    claim("what it threw is in the error", error?.underlying as? ShopError == .couponClosed("WINTER"))
    claim("nothing was charged or taken from the shelf", before == (card.charged, warehouse.counts))
}
