/// Whom the shop buys from, at the other end of a line that is kept open all day. Answers come from other threads.
final class Supplier: Sendable {
    private let wholesaler: Wholesaler
    private let isConnected = Box(true)

    private init(_ wholesaler: Wholesaler) { self.wholesaler = wholesaler }

    static func connect(to wholesaler: Wholesaler) async throws -> Supplier {
        try await Threads.result {
            try wholesaler.takeCall()
            return Supplier(wholesaler)
        }
    }

    func hangUp() { if isConnected.exchange(false) { wholesaler.hangUps.increment() } }

    func offer(of sku: String) async throws -> Product {
        try await Threads.result { [wholesaler, isConnected] in
            guard isConnected.value else { throw ShopError.hungUp }
            return try wholesaler.offer(of: sku)
        }
    }
}
