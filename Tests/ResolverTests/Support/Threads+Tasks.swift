extension Threads {
    /// What `body` returns on a thread of its own. The task that waits for it is suspended, and blocks no thread.
    static func result<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            _ = RunningThread { continuation.resume(returning: body()) }
        }
    }
}
