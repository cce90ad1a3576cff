/// How many of each product could be ordered when the list was made.
final class StockList: Sendable {
    let counts: [String: Int]

    init(of products: [Product], supplier: Supplier) async throws {
        var counts: [String: Int] = [:]
        for product in products { counts[product.sku] = try await supplier.offer(of: product.sku).supply }
        self.counts = counts
    }
}
