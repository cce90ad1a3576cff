import Resolver

extension Resolver {
    /// Ways to pay, by name, and coupons, by code.
    static func registerPaying() {
        register(name: .card) { CardGateway() as any PaymentGateway }.kept(by: .application)
        register(name: .invoice) { InvoiceGateway() as any PaymentGateway }.kept(by: .application)
        register { resolver, args in
            let data: ShopData = try resolver.tryResolve()
            return try Coupon(data.couponTerms(args.tryGet("code")), on: args.tryGet("total"))
        }
        .kept(by: .unique)
    }
}
