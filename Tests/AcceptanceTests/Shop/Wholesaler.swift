import Foundation

/// Another firm, which sells to the shop and can be called.
final class Wholesaler: Sendable {
    /// The numbers of calls and of callers that hung up.
    let calls = Box(0), hangUps = Box(0)

    /// Whether it is within the office hours.
    let isOpen = Box(false)

    private let offers: [String: Offer]
    init(_ data: ShopData) { offers = data.offers }

    /// - Throws: `POSIXError` with `ECONNREFUSED` before the office hours.
    func takeCall() throws {
        guard isOpen.value else { throw POSIXError(.ECONNREFUSED) }
        calls.increment()
    }

    func offer(of sku: String) throws -> Offer {
        guard let offer = offers[sku] else { throw ShopError.unknownProduct(sku) }
        return offer
    }
}
