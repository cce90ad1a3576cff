/// A task that makes an instance for all who ask for it. The cancellation of one of them does not end it, and it is as
/// urgent as the most urgent of them.
final class Flight: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var priority: TaskPriority?
        var isCancelled = false
    }

    private let state = Guarded(State())

    /// Starts the task, which inherits the task-local values of the one that runs.
    func start(_ operation: @escaping @Sendable () async -> Void) {
        let task = Task(operation: operation)
        let (priority, isCancelled) = state.withLock { state in
            state.task = task
            return (state.priority, state.isCancelled)
        }
        if let priority { Flight.escalate(task, to: priority) }
        if isCancelled { task.cancel() }
    }

    /// Nobody needs the instance any more.
    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }

    /// Runs `body`, in which the running task waits for the flight.
    nonisolated(nonsending) func beingAwaited(_ body: nonisolated(nonsending) () async throws -> Void) async throws {
        escalate(to: Task.currentPriority)
        if #available(iOS 26, macOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            try await withTaskPriorityEscalationHandler(operation: body) { _, priority in
                self.escalate(to: priority)
            }
        } else {
            try await body()
        }
    }

    private func escalate(to priority: TaskPriority) {
        let task = state.withLock { state in
            state.priority = max(state.priority ?? priority, priority)
            return state.task
        }
        if let task { Flight.escalate(task, to: priority) }
    }

    /// Systems that are older cannot; there the task keeps the priority of the one that asked first.
    private static func escalate(_ task: Task<Void, Never>, to priority: TaskPriority) {
        if #available(iOS 26, macOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            task.escalatePriority(to: priority)
        }
    }
}
