import Resolver

extension Resolver.Name {
    /// Price lists, and ways to pay.
    static let retail = Self("retail"), trade = Self("trade"), card = Self("card"), invoice = Self("invoice")
}

extension ResolverScope {
    /// Keeps what belongs to the customer who is logged in. Logging out is `reset()`.
    static let session = ResolverScopeCache()
}

extension Resolver {
    /// Everything the shop is made of. An app calls this in `registerAllServices`, which all tests of the package share.
    static func registerShop() {
        registerGoods()
        registerSelling()
        registerSupplies()
        registerTerminal()
    }

    /// What there is to sell, for how much, and how many of it.
    static func registerGoods() {
        register { try ShopData.shipped() }.kept(by: .application)
        register { resolver in try Catalogue(resolver.tryResolve()) }.kept(by: .application)
        register { Season() }.kept(by: .application)
        register(name: .retail) { resolver in try PriceList("retail", resolver.tryResolve(), resolver.tryResolve()) }
            .kept(by: .cached)
        register(name: .trade) { resolver in try PriceList("trade", resolver.tryResolve(), resolver.tryResolve()) }
            .kept(by: .cached)

        // The warehouse and the purchasing department know each other: one is given to the other once it exists.
        register { resolver in try Warehouse(resolver.tryResolve()) }
            .kept(by: .application)
            .implements((any Stock).self)
            .resolveProperties { $1.purchasing = try $0.tryResolve(Purchasing.self) }
        register { resolver in try Purchasing(for: resolver.tryResolve()) }.kept(by: .application)
    }

    /// A customer's visit and order, the ways to pay, by name, coupons, by code, and what helps to sell.
    static func registerSelling() {
        register { resolver, args in
            let data: ShopData = try resolver.tryResolve()
            return try Session(of: data.customer(args.tryGet()), cart: resolver.tryResolve())
        }.kept(by: .session)
        register { Cart() }.kept(by: .session)

        register { NumberSequence() }.kept(by: .application)
        register { resolver in try OrderNumber(from: resolver.tryResolve()) }.kept(by: .unique)
        register { AuditTrail() }.kept(by: .graph)
        register { resolver in
            let session: Session = try resolver.tryResolve()
            return try Calculator(
                prices: resolver.tryResolve(name: session.customer.priceList), trail: resolver.tryResolve())
        }.kept(by: .graph)
        register { resolver in
            let session: Session = try resolver.tryResolve()
            return try Checkout(
                number: resolver.tryResolve(), calculator: resolver.tryResolve(), trail: resolver.tryResolve(),
                stock: resolver.tryResolve(), gateway: resolver.tryResolve(name: session.customer.wayToPay))
        }.kept(by: .graph)

        register(name: .card) { CardGateway() as any PaymentGateway }.kept(by: .application)
        register(name: .invoice) { InvoiceGateway() as any PaymentGateway }.kept(by: .application)
        register { resolver, args in
            let data: ShopData = try resolver.tryResolve()
            return try Coupon(data.couponTerms(args.tryGet("code")), on: args.tryGet("total"))
        }.kept(by: .unique)

        register { MailConnection() }.kept(by: .shared)
    }

    /// The asynchronous services: the supplier is called once, when a service first needs it, and the line stays open
    /// until the shop is locked up.
    static func registerSupplies() {
        register { Wholesaler() }.kept(by: .application)
        register { resolver in try await Supplier.connect(to: resolver.tryResolve()) }
            .kept(by: .application)
            .onRelease { $0.hangUp() }
        register { @MainActor resolver in try ShopWindow(resolver.tryResolve()) }.kept(by: .shared)
    }

    /// What every customer at the terminal has of their own, and every page.
    static func registerTerminal() {
        register { WishList() }.scoped(to: .session).noted(as: "session context")
        register { Pictures() }.scoped(to: .screen).noted(as: "screen context")
    }
}
