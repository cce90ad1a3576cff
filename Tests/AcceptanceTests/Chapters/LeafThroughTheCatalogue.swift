import Resolver

/// An instance for each value of an argument.
func leafThroughTheCatalogue() {
    section("Leafing through the catalogue")

    step("Forward, and back again")
    let catalogue: Catalogue = Resolver.resolve()
    let pages = (1...3).map { Resolver.resolve(CataloguePage.self, args: $0) }
    let shown = pages.flatMap(\.products).map(\.sku)
    claim("three pages show all products", shown == catalogue.products.map(\.sku))
    claim("page 2 is still there", Resolver.resolve(CataloguePage.self, args: 2) === pages[1])
    claim("and page 1", Resolver.resolve(CataloguePage.self, args: 1) === pages[0])
    claim("each was laid out once", Journal.made.count == 3)

    step("Too far")
    let far = failure { try Resolver.tryResolve(CataloguePage.self, args: 4) }
    claim("there is no page 4", far?.underlying as? ShopError == .noSuchPage(4))
    let word = failure { try Resolver.tryResolve(CataloguePage.self, args: "two") }
    claim("\"two\" is not a number", word?.code == .wrongArgumentType)
}
