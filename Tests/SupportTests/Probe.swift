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
    let start = Latch()
    let threads = (0..<count).map { _ in (isReady: Latch(), hasEnded: Latch()) }
    for (index, thread) in threads.enumerated() {
        Thread.detachNewThread {
            thread.isReady.open()
            start.wait()
            body(index)
            thread.hasEnded.open()
        }
    }
    for thread in threads { thread.isReady.wait() }
    start.open()
    for thread in threads { thread.hasEnded.wait() }
}
