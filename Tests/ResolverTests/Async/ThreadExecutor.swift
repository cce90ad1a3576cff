import Foundation

/// Runs each piece of a task on a thread of its own, so that it may block there.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class ThreadExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        _ = RunningThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// Does the same, and keeps what is to be run back while it is told to.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class HoldingExecutor: TaskExecutor, @unchecked Sendable {
    private let condition = NSCondition()
    private var running = 0
    /// nil while nothing is kept back.
    private var held: [UnownedJob]?

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        condition.withLock { if held == nil { start(job) } else { held?.append(job) } }
    }

    private func start(_ job: UnownedJob) {
        running += 1
        _ = RunningThread {
            job.runSynchronously(on: self.asUnownedTaskExecutor())
            self.condition.withLock {
                self.running -= 1
                self.condition.broadcast()
            }
        }
    }

    /// Waits until the tasks are suspended, and lets them go on no more.
    func hold() {
        condition.withLock {
            while running > 0 { condition.wait() }
            held = []
        }
    }

    func release() {
        condition.withLock {
            let jobs = held ?? []
            held = nil
            jobs.forEach(start)
        }
    }
}
