/// Which products were bought together: computed from all orders, and then only read.
final class Recommendations: Sendable {
    private let together: [String: Set<String>]

    init(from data: ShopData) {
        var together: [String: Set<String>] = [:]
        for order in data.orders {
            for line in order.lines {
                together[line.sku, default: []].formUnion(order.lines.map(\.sku).filter { $0 != line.sku })
            }
        }
        self.together = together
    }

    func with(_ sku: String) -> Set<String> { together[sku] ?? [] }
}
