/// Runs each piece of a task on a thread of its own, so that it may block there.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class ThreadExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        _ = RunningThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
