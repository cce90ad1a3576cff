/// The slots that answer hits for one cell. Nearly always it is one, which needs no memory besides.
struct FastSlots {
    private var first: FastSlot?
    /// nil for none, which costs nothing to copy.
    private var others: [FastSlot]?

    func contains(_ slot: FastSlot) -> Bool {
        first == slot || others?.contains(slot) ?? false
    }

    mutating func add(_ slot: FastSlot) {
        if first == nil { first = slot } else { others = (others ?? []) + [slot] }
    }

    mutating func remove(_ slot: FastSlot) {
        if first == slot { first = others?.popLast() } else { others?.removeAll { $0 == slot } }
    }

    /// Empties them all. The references that they owned are returned when the answer is released, outside every lock.
    mutating func invalidate() -> Invalidated {
        defer { self = FastSlots() }
        return Invalidated(first: first?.invalidate(), others: others?.compactMap { $0.invalidate() })
    }

    /// Credits that were not taken.
    struct Invalidated {
        fileprivate var first: FastSlot.Invalidated?
        fileprivate var others: [FastSlot.Invalidated]?

        func release() {
            first?.release()
            if let others { for other in others { other.release() } }
        }
    }
}
