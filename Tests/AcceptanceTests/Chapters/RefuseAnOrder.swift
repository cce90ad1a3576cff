import Resolver

/// A factory that throws: the error says which, and carries what was thrown.
func refuse(_ order: Order, at desk: OrderDesk) {
    step("An order with a coupon that is closed")
    let card: any PaymentGateway = Resolver.resolve(name: .card)
    let warehouse: Warehouse = Resolver.resolve()
    let before = (card.charged, warehouse.counts)
    do {
        _ = try desk.take(order)
        claim("the order was refused", false)
    } catch let error as ResolutionError {
        quote("\(error)")
        claim("the factory of the coupon failed", error.code == .factoryFailed && error.service.hasSuffix("Coupon"))
        claim("what it threw is in the error", error.underlying as? ShopError == .couponClosed("WINTER"))
    } catch {
        claim("the error is the container's and not \(error)", false)
    }
    claim("nothing was charged or taken from the shelf", before == (card.charged, warehouse.counts))
}
