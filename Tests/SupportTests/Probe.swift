/// An object that counts how many of its kind are alive.
final class Probe: Sendable {
    private let alive: Guarded<Int>

    /// - Parameter alive: how many there are of those that were made with it.
    init(_ alive: Guarded<Int>) {
        self.alive = alive
        alive.withLock { $0 += 1 }
    }

    deinit { alive.withLock { $0 -= 1 } }
}

extension Guarded<Int> {
    var value: Int { withLock { $0 } }
}
