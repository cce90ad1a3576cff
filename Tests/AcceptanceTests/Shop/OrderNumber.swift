/// Counts the orders of the shop.
final class NumberSequence { let last = Box(1000) }

/// The number of one order.
struct OrderNumber {
    let value: Int
    init(from sequence: NumberSequence) { value = sequence.last.increment() }
}
