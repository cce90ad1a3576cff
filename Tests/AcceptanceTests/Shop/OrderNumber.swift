/// Counts the orders of the shop.
final class NumberSequence { let last = Box(1000) }

struct OrderNumber {
    let value: Int
    init(from sequence: NumberSequence) { value = sequence.last.increment() }
}
