import Foundation

/// Another firm, which sells to the shop and can be called.
final class Wholesaler: Sendable {
    /// The numbers of calls and of callers that hung up.
    let calls = Box(0), hangUps = Box(0)
    /// Whether it is within the office hours.
    let isOpen = Box(false)
}

/// Whom the shop buys from, at the other end of a line that is kept open all day. The call is made on another thread.
final class Supplier: Sendable {
    private let wholesaler: Wholesaler
    private init(_ wholesaler: Wholesaler) { self.wholesaler = wholesaler }

    /// - Throws: `POSIXError` with `ECONNREFUSED` before the office hours.
    static func connect(to wholesaler: Wholesaler) async throws -> Supplier {
        try await Threads.result {
            guard wholesaler.isOpen.value else { throw POSIXError(.ECONNREFUSED) }
            wholesaler.calls.increment()
            return Supplier(wholesaler)
        }
    }

    func hangUp() { wholesaler.hangUps.increment() }
}
