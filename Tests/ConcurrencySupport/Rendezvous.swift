import Foundation

/// A meeting of a fixed number of threads or tasks: each waits until all have arrived. A later one does not wait.
package final class Rendezvous: Sendable {
    private let missing: Box<Int>
    /// Opens when all have arrived.
    package let gate = Gate()

    package init(_ count: Int) {
        missing = Box(count)
        if count == 0 { gate.open() }
    }

    /// Arrives and does not wait.
    package func arrive() {
        let isLast = missing.update { missing in
            missing -= 1
            return missing == 0
        }
        if isLast { gate.open() }
    }

    /// Arrives and blocks the thread until all have arrived.
    @available(*, noasync, message: "A task passes: await arriveAndPass().")
    package func arriveAndWait() {
        arrive()
        gate.wait()
    }

    /// Arrives and suspends the task until all have arrived.
    package func arriveAndPass() async {
        arrive()
        await gate.pass()
    }
}

/// A meeting of a fixed number of threads that takes place again and again.
package final class Barrier: @unchecked Sendable {
    private let condition = NSCondition()
    private let count: Int
    // Both are guarded by the condition.
    private var missing: Int
    private var meeting = 0

    package init(_ count: Int) { (self.count, missing) = (count, count) }

    package func arriveAndWait() {
        condition.withLock {
            missing -= 1
            if missing == 0 {
                missing = count
                meeting += 1
                return condition.broadcast()
            }
            let mine = meeting
            while meeting == mine { condition.wait() }
        }
    }
}

/// Where a fixed number of threads start together, for races. They spin until the last has come, and so start within less
/// than a microsecond.
package final class StartLine: Sendable {
    private let missing: Box<Int>
    package init(_ count: Int) { missing = Box(count) }

    package func wait() {
        missing.update { $0 -= 1 }
        while missing.value > 0 { sched_yield() }
    }
}
