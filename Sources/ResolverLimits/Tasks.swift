import BenchmarkSupport
import Dispatch

/// Runs `body` in a task while the caller waits. The task's memory is freed when it returns.
func waitForTask<Value: Sendable>(_ body: @escaping @Sendable @Measuring () async -> Value) -> Value {
    let result = Handover<Value>()
    Task { @Measuring in result.bring(await body()) }
    let value = result.take()
    // The task ends in the job that returns the result, so it has ended when the next job of the queue runs.
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

    /// Returns when all jobs that are now in the queue have run.
    func finish() { queue.sync {} }
}
