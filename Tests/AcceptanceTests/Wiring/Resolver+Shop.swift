import Resolver

extension Resolver {
    /// Everything the shop is made of. An app calls this in `registerAllServices`, which all tests of the package share.
    static func registerShop() {
        registerGoods()
        registerSelling()
        registerPaying()
        registerOffice()
        registerSupplies()
        registerWebShop()
        registerTerminal()
    }
}
