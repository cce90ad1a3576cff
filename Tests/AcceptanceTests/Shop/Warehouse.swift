/// Where goods are taken from.
protocol Stock: AnyObject { func take(_ count: Int, of sku: String) throws }

/// The goods themselves.
final class Warehouse: Stock {
    private(set) var counts: [String: Int]
    /// Set when both exist.
    weak var purchasing: Purchasing?

    init(_ data: ShopData) { counts = data.numbers(\.stock) }

    func take(_ count: Int, of sku: String) throws {
        let left = counts[sku, default: 0] - count
        guard left >= 0 else { throw ShopError.soldOut(sku) }
        counts[sku] = left
        purchasing?.stockChanged(of: sku, to: left)
    }

    func receive(_ count: Int, of sku: String) { counts[sku, default: 0] += count }
}

/// Orders what is running out.
final class Purchasing {
    static let least = 5, batch = 10

    let warehouse: Warehouse
    private(set) var ordered: [String: Int] = [:]

    init(for warehouse: Warehouse) { self.warehouse = warehouse }

    func stockChanged(of sku: String, to count: Int) {
        guard count < Purchasing.least else { return }
        ordered[sku, default: 0] += Purchasing.batch
        warehouse.receive(Purchasing.batch, of: sku)
    }
}
