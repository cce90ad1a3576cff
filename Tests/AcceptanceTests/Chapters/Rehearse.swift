import Resolver

/// A resolver that has some services of its own and takes the others from the shop.
func rehearse() throws {
    section("Rehearsing an order")

    let rehearsal = Resolver(child: .main), money = PlayMoney()
    rehearsal.register((any PaymentGateway).self, name: .card) { money }.kept(by: .container)
    rehearsal.register((any Stock).self) { PaintedShelf() }.kept(by: .container)

    step("Ada orders ten kettles, and it is only a rehearsal")
    let before = Assets.now
    let session = try Resolver.tryResolve(Session.self, args: "ada")
    session.cart.lines = [Order.Line(sku: "kettle", count: 10)]
    let checkout = try rehearsal.tryResolve(Checkout.self)
    claim("the shop's checkout was given the rehearsal's gateway", checkout.gateway === money)
    let receipt = try checkout.complete(session.cart) { _ in nil }
    claim("\(receipt.due.asMoney) of play money was paid", money.charged.value == receipt.due && receipt.due > 0)
    claim("the card gateway and the warehouse noticed nothing", before == .now)

    step("The shop itself")
    let card: any PaymentGateway = Resolver.resolve(name: .card)
    claim("its checkout has the card gateway, as before", try Resolver.tryResolve(Checkout.self).gateway === card)
    claim(
        "what is not overridden is the shop's", rehearsal.resolve(Catalogue.self) === Resolver.resolve(Catalogue.self))
    ResolverScope.session.reset()
}

/// Charges no card.
private final class PlayMoney: PaymentGateway, Sendable { let charged = Box(0) }

/// Has as much of everything as is asked for.
private final class PaintedShelf: Stock { func take(_ count: Int, of sku: String) {} }
