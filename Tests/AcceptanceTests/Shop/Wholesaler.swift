import Foundation

/// Another firm, which sells to the shop and can be called.
final class Wholesaler: Sendable {
    /// The numbers of calls and of callers that hung up.
    let calls = Box(0), hangUps = Box(0)

    /// Whether it is within the office hours.
    let isOpen = Box(false)

    private let products: [Product]
    init(_ data: ShopData) { products = data.products }

    /// - Throws: `POSIXError` with `ECONNREFUSED` before the office hours.
    func takeCall() throws {
        guard isOpen.value else { throw POSIXError(.ECONNREFUSED) }
        calls.increment()
    }

    func offer(of sku: String) throws -> Product {
        guard let product = products.first(where: { $0.sku == sku }) else { throw ShopError.unknownProduct(sku) }
        return product
    }
}
