import BenchmarkSupport
import Dispatch

/// Runs `body` in a task of its own, while the caller waits. When it returns, the memory of the task has been freed.
func waitForTask<Value: Sendable>(_ body: @escaping @Sendable @Measuring () async -> Value) -> Value {
    let result = Handover<Value>()
    Task { @Measuring in result.bring(await body()) }
    let value = result.take()
    // The task ends in the job that has brought the result, so it has ended when the next job of the queue runs.
    Measuring.queue.finish()
    return value
}

/// The actor of the tasks that are waited for.
@globalActor
actor Measuring {
    static let shared = Measuring()
    static let queue = JobQueue()

    nonisolated var unownedExecutor: UnownedSerialExecutor { Measuring.queue.asUnownedSerialExecutor() }
}

final class JobQueue: SerialExecutor {
    private let queue = DispatchQueue(label: "measuring")

    func enqueue(_ job: UnownedJob) {
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    /// Returns when all jobs have run that are in the queue by now.
    func finish() { queue.sync {} }
}
