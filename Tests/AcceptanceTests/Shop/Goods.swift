/// What the shop sells.
final class Catalogue {
    let products: [Product]
    init(_ data: ShopData) { products = data.products }

    func name(of sku: String) -> String { products.first { $0.sku == sku }?.name ?? sku }
}

/// How much is taken off all prices at present.
final class Season { var percentOff = 0 }

/// Prices in cents, computed when the list is made.
final class PriceList: Sendable {
    private let prices: [String: Int]

    init(_ name: String, _ data: ShopData, _ season: Season) {
        prices = data.prices(name).mapValues { $0 * (100 - season.percentOff) / 100 }
    }

    func price(of sku: String) -> Int { prices[sku] ?? 0 }
}

/// Where goods are taken from.
protocol Stock: AnyObject { func take(_ count: Int, of sku: String) }

/// The goods themselves.
final class Warehouse: Stock {
    private(set) var counts: [String: Int]
    /// Set when both exist.
    weak var purchasing: Purchasing?

    init(_ data: ShopData) { counts = data.numbers(\.stock) }

    func take(_ count: Int, of sku: String) {
        counts[sku, default: 0] -= count
        if counts[sku, default: 0] < 5 { purchasing?.wanted.insert(sku) }
    }
}

/// Knows what is running out.
final class Purchasing {
    let warehouse: Warehouse
    var wanted: Set<String> = []

    init(for warehouse: Warehouse) { self.warehouse = warehouse }
}

/// What is seen from the street: like every view, it belongs to the main actor.
@MainActor final class ShopWindow {
    let labels: [String]

    init(_ catalogue: Catalogue) {
        MainActor.preconditionIsolated()
        labels = catalogue.products.map(\.name)
    }
}
