/// The slots that answer hits for one cell. Nearly always it is one, which needs no memory besides.
struct InstanceSlots {
    private var first: InstanceSlot?
    private var others: [InstanceSlot] = []

    func contains(_ slot: InstanceSlot) -> Bool {
        first == slot || others.contains(slot)
    }

    mutating func add(_ slot: InstanceSlot) {
        if first == nil { first = slot } else { others.append(slot) }
    }

    mutating func remove(_ slot: InstanceSlot) {
        if first == slot { first = others.popLast() } else { others.removeAll { $0 == slot } }
    }

    /// Empties them all. The references that they owned are returned when the answer is released, outside every lock.
    mutating func withdraw() -> Withdrawn {
        defer { self = InstanceSlots() }
        return Withdrawn(first: first?.withdraw(), others: others.compactMap { $0.withdraw() })
    }

    /// Credits that nobody took.
    struct Withdrawn {
        fileprivate let first: InstanceSlot.Withdrawn?
        fileprivate let others: [InstanceSlot.Withdrawn]

        func release() {
            first?.release()
            for other in others { other.release() }
        }
    }
}
