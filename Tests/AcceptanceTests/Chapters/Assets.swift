import Resolver

/// What the shop has, to see that something does not change it.
struct Assets: Equatable {
    let charged: Int, stock: [String: Int]

    static var now: Assets {
        let card: any PaymentGateway = Resolver.resolve(name: .card)
        return Assets(charged: card.charged.value, stock: Resolver.resolve(Warehouse.self).counts)
    }
}
