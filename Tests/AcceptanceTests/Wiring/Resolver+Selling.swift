import Resolver

extension Resolver {
    /// A customer's visit, and an order.
    static func registerSelling() {
        register { resolver, args in
            let data: ShopData = try resolver.tryResolve()
            return try Session(of: data.customer(args.tryGet()), cart: resolver.tryResolve())
        }
        .kept(by: .session)
        register { Cart() }.kept(by: .session)

        register { NumberSequence() }.kept(by: .application)
        register { resolver in try OrderNumber(from: resolver.tryResolve()) }.kept(by: .unique)
        register { AuditTrail() }.kept(by: .graph)
        register { resolver in
            let session: Session = try resolver.tryResolve()
            return try Calculator(
                prices: resolver.tryResolve(name: session.customer.priceList), trail: resolver.tryResolve())
        }
        .kept(by: .graph)
        register { resolver in
            let session: Session = try resolver.tryResolve()
            return try Checkout(
                number: resolver.tryResolve(), calculator: resolver.tryResolve(), trail: resolver.tryResolve(),
                stock: resolver.tryResolve(), gateway: resolver.tryResolve(name: session.customer.wayToPay))
        }
        .kept(by: .graph)
    }
}
