import Foundation

/// Performs what blocks on a thread of its own, while the task is suspended. The threads that tasks run on are few: those
/// that wait for a socket would be missing.
func onItsOwnThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
    }
}
