import Resolver

extension Resolver {
    /// The asynchronous services: the supplier is called once, when a service first needs it, and the line stays open
    /// until the shop is locked up.
    static func registerSupplies() {
        register { resolver in try Wholesaler(resolver.tryResolve()) }.kept(by: .application)
        register { resolver in try await Supplier.connect(to: resolver.tryResolve(Wholesaler.self).port) }
            .kept(by: .application)
            .onRelease { $0.hangUp() }
        register { resolver in
            let catalogue: Catalogue = try resolver.tryResolve()
            return try await StockList(of: catalogue.products, supplier: resolver.resolveAsync())
        }
        .kept(by: .application)
        register { @MainActor resolver in try ShopWindow(resolver.tryResolve()) }.kept(by: .shared)
    }
}
