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
    claim("@LazyInjected has not opened the mail yet", desk.isMailClosed)

    let data: ShopData = Resolver.resolve()
    let taken = try data.orders.filter { $0.coupon != "WINTER" }.map { order in
        try TakenOrder(order: order, receipt: take(order, at: desk, data))
    }
    for order in data.orders where order.coupon == "WINTER" { refuse(order, at: desk) }
    closeTheDay(taken, desk, data)
}

private struct TakenOrder {
    let order: Order, receipt: Receipt
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
    let expected = order.lines.reduce(0) { $0 + $1.count * (data.prices[customer.prices]?[$1.sku] ?? 0) }
    let percentOff = try order.coupon.map { try data.couponTerms($0).percentOff } ?? 0
    claim(
        "order \(receipt.number.value) is \(receipt.due.asMoney), at \(customer.prices) prices with \(percentOff) % off",
        receipt.due == expected * (100 - percentOff) / 100)
    let made = Journal.shared.madeInThisStep
    claim(
        "the order made one checkout, one calculator, one audit trail and one order number",
        ["Checkout", "Calculator", "AuditTrail", "OrderNumber"].allSatisfy { type in made.count { $0 == type } == 1 })
    return receipt
}

private func closeTheDay(_ taken: [TakenOrder], _ desk: OrderDesk, _ data: ShopData) {
    step("The end of the day")
    let numbers = taken.map(\.receipt.number.value)
    claim("every order had a number of its own", Set(numbers).count == taken.count)

    let gateways = [Resolver.Name.card, .invoice].map { Resolver.resolve((any PaymentGateway).self, name: $0) }
    let due = taken.reduce(0) { $0 + $1.receipt.due }
    claim("the gateways charged \(due.asMoney), what the receipts say", gateways.reduce(0) { $0 + $1.charged } == due)

    let warehouse: Warehouse = Resolver.resolve()
    let isCounted = data.products.allSatisfy { product in
        let sold = taken.flatMap(\.order.lines).filter { $0.sku == product.sku }.reduce(0) { $0 + $1.count }
        let bought = warehouse.purchasing?.ordered[product.sku] ?? 0
        return warehouse.counts[product.sku] == product.stock - sold + bought
    }
    claim("every product on the shelf is accounted for", isCounted)
    claim("purchasing bought iron kettles", warehouse.purchasing?.ordered["kettle"] == Purchasing.batch)
    claim("a receipt went out for every order taken", desk.mail.sent.count == taken.count)
}
