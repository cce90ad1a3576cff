/// A latch that opens once. Tasks that wait for it are suspended until then, or until they are cancelled.
package class TaskLatch: Guarded<TaskLatch.State>, @unchecked Sendable {
    package struct State {
        fileprivate var isOpen = false
        fileprivate var waiting = Slab<CheckedContinuation<Void, any Error>>()
    }

    package init() {
        super.init(State())
    }

    @inline(never)
    package final func open() {
        let waiting = withLock { state in
            state.isOpen = true
            return state.waiting.removeAll()
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits until the latch opens.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before the latch opens.
    package final nonisolated(nonsending) func wait() async throws {
        let index = withLock { $0.waiting.reserve() }
        // The cancellation handler cannot run after the call has returned, so the index can be freed. The lock also orders this task
        // after the thread that opened the latch: that thread held it after it wrote what this task is about to read.
        defer { withLock { _ = $0.waiting.remove(at: index) } }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Void, any Error>? = withLock { state in
                    if state.isOpen { return .success(()) }
                    // After a later cancellation, the handler finds the continuation.
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
