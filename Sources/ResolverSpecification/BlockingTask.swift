import ConcurrencySupport
import Foundation

/// A task that runs on the thread that waits for it.
///
/// Code in the task has the locks of that thread, and no thread of the pool is blocked.
enum BlockingTask {
    /// Runs asynchronous code on this thread until it ends.
    static func wait<Value: Sendable>(for body: @escaping @Sendable () async throws -> Value) throws -> Value {
        guard #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *) else {
            preconditionFailure("tasks that run on one thread need a system of 2024")
        }
        let outcome = Box<Result<Value, any Error>?>(nil)
        let thread = WaitingThread()
        Task(executorPreference: thread) {
            do { outcome.set(.success(try await body())) } catch { outcome.set(.failure(error)) }
            thread.end()
        }
        thread.run()
        guard let outcome = outcome.value else { preconditionFailure("the task has left nothing") }
        return try outcome.get()
    }
}

/// Runs the jobs of a task on the thread that calls `run`.
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
private final class WaitingThread: TaskExecutor {
    private let condition = NSCondition()
    // The condition guards both.
    nonisolated(unsafe) private var jobs: [UnownedJob] = []
    nonisolated(unsafe) private var hasEnded = false

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        condition.withLock {
            jobs.append(job)
            condition.signal()
        }
    }

    func end() {
        condition.withLock {
            hasEnded = true
            condition.signal()
        }
    }

    func run() { while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) } }

    private func next() -> UnownedJob? {
        condition.withLock {
            while jobs.isEmpty, !hasEnded { condition.wait() }
            return jobs.isEmpty ? nil : jobs.removeFirst()
        }
    }
}
