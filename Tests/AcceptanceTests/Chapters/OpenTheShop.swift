import Resolver

/// Application scope, protocols, and two services that know each other.
func openTheShop() {
    section("Opening the shop")

    step("Before anything is resolved")
    claim("nothing has been made", Journal.made.value == [])

    step("The first resolve")
    let catalogue: Catalogue = Resolver.resolve(), data: ShopData = Resolver.resolve()
    claim("the catalogue and what it needs were made", Journal.made.value == ["ShopData", "Catalogue"])
    claim(
        "the data file has \(catalogue.products.count) products and \(data.orders.count) orders",
        catalogue.products.count == 6 && data.orders.count == 4)

    step("The same again")
    let again: Catalogue = Resolver.resolve()
    claim("it is the same catalogue, and nothing was made", again === catalogue && Journal.made.value == [])

    step("The warehouse, as the protocol it implements")
    let stock: any Stock = Resolver.resolve()
    let warehouse: Warehouse = Resolver.resolve()
    claim("the stock is the warehouse", stock === warehouse)
    claim("the warehouse was made once", Journal.made.value == ["Warehouse", "Purchasing"])
    claim("the warehouse knows purchasing, which knows the warehouse", warehouse.purchasing?.warehouse === warehouse)
}
