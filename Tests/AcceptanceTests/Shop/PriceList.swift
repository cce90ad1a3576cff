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
