import Foundation

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

/// Runs `body` on real threads that start together, and returns when all have ended.
func onThreads(_ count: Int, _ body: @escaping @Sendable (_ index: Int) -> Void) {
    let (start, ready, ended) = (Latch(), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    for index in 0..<count {
        Thread.detachNewThread {
            ready.signal()
            start.wait()
            body(index)
            ended.signal()
        }
    }
    for _ in 0..<count { ready.wait() }
    start.open()
    for _ in 0..<count { ended.wait() }
}
