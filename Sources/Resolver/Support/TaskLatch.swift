/// Opens once; tasks that wait for it are suspended until then, or until they are cancelled.
final class TaskLatch: Guarded<TaskLatch.State>, @unchecked Sendable {
    struct State {
        fileprivate var isOpen = false
        fileprivate var waiting = Slab<CheckedContinuation<Void, any Error>>()
    }

    init() {
        super.init(State())
    }

    func open() {
        let waiting = withLock { state in
            state.isOpen = true
            return state.waiting.removeAll()
        }
        for continuation in waiting { continuation.resume() }
    }

    /// - Throws: `CancellationError` if the task is cancelled before the latch opens.
    nonisolated(nonsending) func wait() async throws {
        let index = withLock { $0.waiting.reserve() }
        // When the call is over its handler cannot run any more. The thread that opened the latch held this lock after all that the task is
        // going to read was written.
        defer { withLock { _ = $0.waiting.remove(at: index) } }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Void, any Error>? = withLock { state in
                    if state.isOpen { return .success(()) }
                    // Cancelled later, it is the handler that finds the continuation.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    state.waiting.put(continuation, at: index)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            withLock { $0.waiting.take(at: index) }?.resume(throwing: CancellationError())
        }
    }
}
