/// Opens once. Tasks that wait for it are suspended; one that is cancelled gives up.
final class AsyncGate: Sendable {
    private struct State {
        var isOpen = false
        var last = 0
        var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
    }

    private let state = Box(State())

    func open() {
        let waiting = state.update { state in
            state.isOpen = true
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values { continuation.resume() }
    }

    /// - Throws: `CancellationError` if the task is cancelled before the gate opens.
    func wait() async throws {
        let number = state.update { state in
            state.last += 1
            return state.last
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Void, any Error>? = state.update { state in
                    if state.isOpen { return .success(()) }
                    // Cancelled later, it is the handler that finds the continuation.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    state.waiting[number] = continuation
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            state.update { $0.waiting.removeValue(forKey: number) }?.resume(throwing: CancellationError())
        }
    }
}
