/// An object that counts the living objects of its kind.
final class Probe: Sendable {
    private let alive: Guarded<Int>

    /// - Parameter alive: the number of living objects created with this counter.
    init(_ alive: Guarded<Int>) {
        self.alive = alive
        alive.withLock { $0 += 1 }
    }

    deinit { alive.withLock { $0 -= 1 } }
}

extension Guarded<Int> { var value: Int { withLock { $0 } } }
