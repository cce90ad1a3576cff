import Resolver

/// The shop's main job: all orders of the file. Graph and unique scope, names, arguments, property wrappers.
func takeTheOrders() throws {
    section("Taking the orders")

    step("The order desk opens")
    let desk = OrderDesk(), catalogue: Catalogue = Resolver.resolve()
    claim("@Injected gave it the shop's own catalogue", desk.catalogue === catalogue)
    claim(
        "@Injected(name:) gave it the retail prices, and not the trade prices",
        desk.shelfPrices === Resolver.resolve(PriceList.self, name: .retail)
            && desk.shelfPrices.price(of: "cup") == 1200)
    claim("@OptionalInjected is nil for analytics, which is not registered", desk.analytics == nil)
    claim("@OptionalInjected has the card gateway, which is registered", desk.cardGateway is CardGateway)
    claim("@LazyInjected has not opened the mail yet", desk.$mail.isEmpty)

    let data: ShopData = Resolver.resolve()
    let good = data.orders.filter { $0.coupon != "WINTER" }
    let receipts = try good.map { try take($0, at: desk, data) }
    for order in data.orders where order.coupon == "WINTER" { refuse(order, at: desk) }
    closeTheDay(good, receipts, desk, data)
}

private func take(_ order: Order, at desk: OrderDesk, _ data: ShopData) throws -> Receipt {
    let customer = try data.customer(order.customer)
    step("An order by \(customer.name)")
    let receipt = try desk.take(order) { checkout in
        claim("checkout and calculator write to one audit trail", checkout.trail === checkout.calculator.trail)
        claim(
            "\(customer.name) pays by \(customer.pays)",
            checkout.gateway === Resolver.resolve((any PaymentGateway).self, name: customer.wayToPay))
    }
    for line in order.lines { quote("\(line.count) × \(desk.catalogue.name(of: line.sku))") }
    let percentOff = try order.coupon.map { try data.couponTerms($0).percentOff } ?? 0
    claim(
        "order \(receipt.number.value) is \(receipt.due) cents, at \(customer.prices) prices with \(percentOff) % off",
        try receipt.due == data.total(of: order.lines, for: order.customer) * (100 - percentOff) / 100)
    let made = Journal.made.value
    claim(
        "the order made one checkout, one calculator, one audit trail and one order number",
        ["Checkout", "Calculator", "AuditTrail", "OrderNumber"].allSatisfy { type in made.count { $0 == type } == 1 })
    return receipt
}

/// A factory that throws: the error says which, and carries what was thrown.
private func refuse(_ order: Order, at desk: OrderDesk) {
    step("An order with a coupon that is closed")
    let before = Assets.now
    let error = failure { try desk.take(order) }
    claim(
        "the factory of the coupon failed", error?.code == .factoryFailed && error?.service.hasSuffix("Coupon") == true)
    claim("what it threw is in the error", error?.underlying as? ShopError == .couponClosed("WINTER"))
    claim("nothing was charged or taken from the shelf", before == .now)
}

private func closeTheDay(_ orders: [Order], _ receipts: [Receipt], _ desk: OrderDesk, _ data: ShopData) {
    step("The end of the day")
    claim("every order had a number of its own", Set(receipts.map(\.number.value)).count == orders.count)

    let gateways = [Resolver.Name.card, .invoice].map { Resolver.resolve((any PaymentGateway).self, name: $0) }
    let due = receipts.reduce(0) { $0 + $1.due }
    claim(
        "the gateways charged \(due) cents, what the receipts say",
        gateways.reduce(0) { $0 + $1.charged.value } == due)

    let warehouse: Warehouse = Resolver.resolve()
    let sold = orders.flatMap(\.lines).reduce(into: [:]) { $0[$1.sku, default: 0] += $1.count }
    claim("the shelf lacks what was sold", warehouse.counts == data.numbers { $0.stock - sold[$0.sku, default: 0] })
    claim("purchasing knows what is running out", warehouse.purchasing?.wanted == ["kettle"])
    claim("a receipt went out for every order taken", desk.mail.sent.count == orders.count)
}
