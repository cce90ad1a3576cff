/// What the shop sells.
final class Catalogue {
    let products: [Product]
    init(_ data: ShopData) { products = data.products }

    func name(of sku: String) -> String { products.first { $0.sku == sku }?.name ?? sku }
}

/// Some products of the catalogue, laid out on a page.
final class CataloguePage {
    static let size = 2

    let products: [Product]

    /// - Parameter number: counted from 1.
    init(_ number: Int, of catalogue: Catalogue) throws {
        products = Array(catalogue.products.dropFirst((number - 1) * CataloguePage.size).prefix(CataloguePage.size))
        guard !products.isEmpty else { throw ShopError.noSuchPage(number) }
    }
}
