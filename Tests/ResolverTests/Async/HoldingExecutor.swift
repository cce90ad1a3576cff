import Foundation

/// Runs each job on its own thread, where it may block, and holds jobs back between `hold()` and `release()`.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class HoldingExecutor: TaskExecutor, @unchecked Sendable {
    private let condition = NSCondition()
    private var running = 0
    /// The jobs that are held back; nil if none are to be held.
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

    /// Waits until the tasks are suspended, and then holds further jobs back.
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
