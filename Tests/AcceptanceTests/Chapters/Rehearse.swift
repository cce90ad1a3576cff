import Resolver

/// A resolver that has the shop's registrations, two of its own in their place, and none of the shop's instances.
func rehearse() throws {
    section("Rehearsing an order")
    let warehouse: Warehouse = Resolver.resolve(), before = Assets.now, money = PlayMoney()

    step("Ada orders ten kettles, and it is only a rehearsal")
    weak var theirWarehouse: Warehouse?
    do {
        let rehearsal = Resolver(isolating: .main)
        rehearsal.register((any PaymentGateway).self, name: .card) { money }.scope(.container)
        rehearsal.register((any Stock).self) { PaintedShelf() }.scope(.container)
        let session = try rehearsal.tryResolve(Session.self, args: "ada")
        session.cart.lines = [Order.Line(sku: "kettle", count: 10)]
        let checkout = try rehearsal.tryResolve(Checkout.self)
        claim("the shop's checkout was given the rehearsal's gateway", checkout.gateway === money)
        let receipt = try checkout.complete(session.cart)
        claim("\(receipt.due) cents of play money were paid", money.charged.value == receipt.due && receipt.due > 0)
        theirWarehouse = rehearsal.resolve(Warehouse.self)
        claim("its warehouse, a singleton, is not the shop's", theirWarehouse !== warehouse)
        claim("its order numbers begin anew", receipt.number.value == 1001)
        claim("the card gateway and the warehouse of the shop noticed nothing", before == .now)
        ResolverScope.session.reset()
        claim("a reset of the shop's scope does not end its session", rehearsal.existing(Session.self) === session)
        claim("the shop itself has no session", Resolver.existing(Session.self) == nil)
    }
    claim("its end released its warehouse", theirWarehouse == nil)
    claim(
        "and all that it kept of the shop, the youngest first, and the oldest last",
        Journal.released.value == [
            "Warehouse", "Purchasing", "PriceList", "Season", "NumberSequence", "Session", "Cart", "ShopData",
        ])

    step("The shop itself")
    claim("it still has its own warehouse", Resolver.resolve(Warehouse.self) === warehouse)
    _ = try Resolver.tryResolve(Session.self, args: "ada")
    let card: any PaymentGateway = Resolver.resolve(name: .card)
    claim("its checkout has the card gateway, as before", try Resolver.tryResolve(Checkout.self).gateway === card)
    ResolverScope.session.reset()
}

/// Charges no card.
private final class PlayMoney: PaymentGateway, Sendable { let charged = Box(0) }

/// Has as much of everything as is asked for.
private final class PaintedShelf: Stock { func take(_ count: Int, of sku: String) {} }
