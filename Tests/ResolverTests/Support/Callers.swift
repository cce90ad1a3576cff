import Dispatch

/// Runs tasks on one thread of its own, so that it can tell when none of them can go on by itself.
///
/// Only what the tasks themselves run counts, child tasks included: neither actors with executors of their own nor
/// unstructured tasks, as creation tasks are, use this thread.
final class Callers: Sendable {
    private struct Jobs {
        var count = 0
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    private let thread = DispatchQueue(label: "callers"), key = DispatchSpecificKey<Bool>(), jobs = Box(Jobs())

    init() { thread.setSpecific(key: key, value: true) }

    func call<Result: Sendable>(
        priority: TaskPriority? = nil, _ body: @escaping @Sendable () async throws -> Result
    ) -> Task<Result, any Error> {
        guard #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *) else {
            preconditionFailure("this system has no executors for tasks")
        }
        return Task(executorPreference: self, priority: priority, operation: body)
    }

    func call<Result: Sendable>(
        times: Int, _ body: @escaping @Sendable () async throws -> Result
    ) -> [Task<Result, any Error>] { (0..<times).map { _ in call(body) } }

    /// Whether the calling code runs on the thread of these tasks.
    var areCurrent: Bool { DispatchQueue.getSpecific(key: key) != nil }

    /// Holds back what the tasks have left to do, until `release`.
    func hold() { thread.suspend() }

    func release() { thread.resume() }

    /// Returns when each task has ended, or is suspended until something outside wakes it.
    func untilAllWait() async {
        await withCheckedContinuation { continuation in
            let isQuiet = jobs.update { jobs in
                if jobs.count > 0 { jobs.watchers.append(continuation) }
                return jobs.count == 0
            }
            if isQuiet { continuation.resume() }
        }
    }

    private func finishJob() {
        let watchers = jobs.update { jobs -> [CheckedContinuation<Void, Never>] in
            jobs.count -= 1
            guard jobs.count == 0 else { return [] }
            defer { jobs.watchers = [] }
            return jobs.watchers
        }
        for watcher in watchers { watcher.resume() }
    }
}

@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
extension Callers: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.update { $0.count += 1 }
        thread.async {
            job.runSynchronously(on: self.asUnownedTaskExecutor())
            self.finishJob()
        }
    }
}
