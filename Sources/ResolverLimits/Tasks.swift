import BenchmarkSupport

/// Runs `body` in a task of its own, while the caller waits.
func waitForTask<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value {
    let result = Handover<Value>()
    Task.detached { result.bring(await body()) }
    return result.take()
}
