/// Which products were bought together in one order.
final class Recommendations: Sendable {
    private let orders: [Set<String>]

    init(from data: ShopData) { orders = data.orders.map { Set($0.lines.map(\.sku)) } }

    func with(_ sku: String) -> Set<String> { Set(orders.filter { $0.contains(sku) }.joined()).subtracting([sku]) }
}
