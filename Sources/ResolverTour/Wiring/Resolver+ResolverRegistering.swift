import Resolver

extension Resolver: ResolverRegistering {
    /// Everything the shop is made of. The container calls it before it is first used.
    public static func registerAllServices() {
        registerGoods()
        registerSelling()
        registerPaying()
        registerOffice()
        registerSupplies()
        registerWebShop()
        registerTerminal()
    }
}
