import Foundation

/// A gate that opens once. Threads block at it, tasks are suspended.
package final class Gate: @unchecked Sendable {
    private let condition = NSCondition()
    // All are guarded by the condition.
    private var isOpen = false
    private var suspended: [CheckedContinuation<Void, Never>] = []
    private var last = 0
    /// The tasks that a cancellation takes from here.
    private var cancellable: [Int: CheckedContinuation<Void, any Error>] = [:]

    package init() {}

    package func open() {
        let resumed = condition.withLock {
            isOpen = true
            condition.broadcast()
            defer { (suspended, cancellable) = ([], [:]) }
            return (suspended, cancellable)
        }
        for continuation in resumed.0 { continuation.resume() }
        for continuation in resumed.1.values { continuation.resume() }
    }

    /// Blocks the thread until the gate is open.
    @available(*, noasync, message: "A task passes: await pass().")
    package func wait() { condition.withLock { while !isOpen { condition.wait() } } }

    /// Suspends the task until the gate is open, also if the task is cancelled.
    package func pass() async {
        await withCheckedContinuation { continuation in
            let mustWait = condition.withLock {
                if !isOpen { suspended.append(continuation) }
                return !isOpen
            }
            if !mustWait { continuation.resume() }
        }
    }

    /// Suspends the task until the gate is open. Throws `CancellationError` if the task is cancelled before.
    package func passUnlessCancelled() async throws {
        let number = condition.withLock {
            last += 1
            return last
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Void, any Error>? = condition.withLock {
                    if isOpen { return .success(()) }
                    // Cancelled later, it is the handler that finds the continuation.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    cancellable[number] = continuation
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            condition.withLock { cancellable.removeValue(forKey: number) }?.resume(throwing: CancellationError())
        }
    }
}
