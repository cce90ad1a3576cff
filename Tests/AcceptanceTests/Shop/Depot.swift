/// The goods of the web shop, which sells what the supplier has.
final class Depot: Sendable {
    let counts: Box<[String: Int]>
    init(_ list: StockList) { counts = Box(list.counts) }

    func take(_ count: Int, of sku: String) throws {
        try counts.update { counts in
            guard let left = counts[sku] else { throw ShopError.unknownProduct(sku) }
            guard left >= count else { throw ShopError.soldOut(sku) }
            counts[sku] = left - count
        }
    }

    func putBack(_ count: Int, of sku: String) { counts.update { $0[sku, default: 0] += count } }
}
