/// The goods of the web shop, which sells what the supplier has.
final class Depot: Sendable {
    private let protected: Box<[String: Int]>
    init(_ list: StockList) { protected = Box(list.counts) }

    var counts: [String: Int] { protected.value }

    func take(_ count: Int, of sku: String) throws {
        try protected.update { counts in
            guard let left = counts[sku] else { throw ShopError.unknownProduct(sku) }
            guard left >= count else { throw ShopError.soldOut(sku) }
            counts[sku] = left - count
        }
    }

    func putBack(_ count: Int, of sku: String) { protected.update { $0[sku, default: 0] += count } }
}
