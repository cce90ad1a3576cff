import Resolver

extension Resolver {
    /// What there is to sell, for how much, and how many of it.
    static func registerGoods() {
        register { try ShopData.shipped() }.kept(by: .application)
        register { resolver in try Catalogue(resolver.tryResolve()) }.kept(by: .application)
        register { Season() }.kept(by: .application)
        register(name: .retail) { resolver in try PriceList("retail", resolver.tryResolve(), resolver.tryResolve()) }
            .kept(by: .cached)
        register(name: .trade) { resolver in try PriceList("trade", resolver.tryResolve(), resolver.tryResolve()) }
            .kept(by: .cached)

        // One page for each number; and a quote, until it has been unused for twenty minutes.
        register { resolver, args in try CataloguePage(args.tryGet(), of: resolver.tryResolve()) }
            .kept(by: .cached)
            .scopeOnArguments(Int.self)
        register { resolver in try Quote(at: resolver.tryResolve(name: .retail)) }
            .kept(by: .cached)
            .timeToLive(20 * 60)

        // The warehouse and the purchasing department know each other: one is given to the other once it exists.
        register { resolver in try Warehouse(resolver.tryResolve()) }
            .kept(by: .application)
            .implements((any Stock).self)
            .resolveProperties { $1.purchasing = try $0.tryResolve(Purchasing.self) }
        register { resolver in try Purchasing(for: resolver.tryResolve()) }.kept(by: .application)
    }
}
