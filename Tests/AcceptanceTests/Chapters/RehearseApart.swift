import Resolver

/// A resolver that has the shop's registrations and none of its instances.
func rehearseApart() throws {
    section("Rehearsing apart")
    let warehouse: Warehouse = Resolver.resolve(), before = Assets.now

    step("A shop like the shop, with nothing in it")
    weak var theirWarehouse: Warehouse?
    do {
        let rehearsal = Resolver(isolating: .main)
        let session = try rehearsal.tryResolve(Session.self, args: "ada")
        session.cart.lines = [Order.Line(sku: "kettle", count: 2)]
        let receipt = try rehearsal.tryResolve(Checkout.self).complete(session.cart) { _ in nil }
        theirWarehouse = rehearsal.resolve(Warehouse.self)
        let theirCard: any PaymentGateway = rehearsal.resolve(name: .card)
        claim("its warehouse, a singleton, is not the shop's", theirWarehouse !== warehouse)
        claim("its order numbers begin anew", receipt.number.value == 1001)
        claim(
            "its card gateway charged \(receipt.due.asMoney)",
            theirCard.charged.value == receipt.due && receipt.due > 0)
        claim("the shop noticed nothing", before == .now)
        ResolverScope.session.reset()
        claim("a reset of the shop's scope does not end its session", rehearsal.existing(Session.self) === session)
        claim("the shop itself has no session", Resolver.existing(Session.self) == nil)
    }
    claim("its end released its warehouse", theirWarehouse == nil)
    let (step, released) = (currentStep, Journal.released)
    let kept = Journal.entries.value.filter {
        $0.event == .made && $0.step == step && !["graph", "unique"].contains($0.scope)
    }
    claim("and everything else that it kept", released.sorted() == kept.map(\.service).sorted())
    claim("the youngest first, and the oldest last", released.first == "CardGateway" && released.last == "ShopData")
    claim("the shop still has its own", Resolver.resolve(Warehouse.self) === warehouse)
}
