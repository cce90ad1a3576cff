import Foundation

/// Counts what happens on some thread; others can wait for it.
final class Tally: Sendable {
    private let condition = NSCondition(), protected = Box(0)

    var count: Int { protected.value }

    func add() {
        condition.lock()
        defer { condition.unlock() }
        protected.update { $0 += 1 }
        condition.broadcast()
    }

    /// Blocks until it has counted so many. False if that takes more than ten seconds.
    func reaches(_ count: Int) -> Bool {
        let end = Date(timeIntervalSinceNow: 10)
        condition.lock()
        defer { condition.unlock() }
        while self.count < count {
            guard condition.wait(until: end) else { return false }
        }
        return true
    }
}
