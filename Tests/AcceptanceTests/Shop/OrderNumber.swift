/// Counts the orders of the shop.
final class NumberSequence {
    private var last = 1000

    func next() -> Int {
        last += 1
        return last
    }
}

/// The number of one order.
struct OrderNumber: Equatable {
    let value: Int
    init(from sequence: NumberSequence) { value = sequence.next() }
}
