/// What the shop sells.
final class Catalogue {
    let products: [Product]
    init(_ data: ShopData) { products = data.products }

    func name(of sku: String) -> String { products.first { $0.sku == sku }?.name ?? sku }
}
