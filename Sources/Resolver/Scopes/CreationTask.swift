/// A task that creates an instance for all its waiters.
///
/// The cancellation of a waiter does not end it. It is as urgent as the most urgent waiter.
final class CreationTask: Guarded<CreationTask.State>, @unchecked Sendable {
    struct State {
        fileprivate var operation: (@Sendable () async -> Void)?
        fileprivate var task: Task<Void, Never>?
        fileprivate var priority: TaskPriority?
        fileprivate var isCancelled = false
    }

    private let end = TaskLatch()

    init() {
        super.init(State())
    }

    /// Starts the task, which inherits the task-local values of the running task.
    func start(_ operation: @escaping @Sendable () async -> Void) {
        withLock { $0.operation = operation }
        let task = Task {
            await perform()
            // The task holds neither the instance nor the factory's captures any more, so what the woken waiters release is
            // deallocated at once.
            end.open()
        }
        let (priority, isCancelled) = withLock { state in
            state.task = task
            return (state.priority, state.isCancelled)
        }
        if let priority { CreationTask.escalate(task, to: priority) }
        if isCancelled { task.cancel() }
    }

    private func perform() async {
        let operation = withLock { $0.operation.take() }
        await operation?()
    }

    /// Wakes all waiters and cancels the task, whose instance is not needed any more.
    func cancel() {
        let task = withLock { state in
            state.isCancelled = true
            return state.task
        }
        end.open()
        task?.cancel()
    }

    /// Waits for the end. Meanwhile the creation task is at least as urgent as the running task.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    nonisolated(nonsending) func wait() async throws {
        escalate(to: Task.currentPriority)
        if #available(iOS 26, macOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            try await withTaskPriorityEscalationHandler {
                try await end.wait()
            } onPriorityEscalated: { _, priority in
                self.escalate(to: priority)
            }
        } else {
            try await end.wait()
        }
    }

    private func escalate(to priority: TaskPriority) {
        let task = withLock { state in
            state.priority = max(state.priority ?? priority, priority)
            return state.task
        }
        if let task { CreationTask.escalate(task, to: priority) }
    }

    /// Raises the priority of a task. Older systems cannot; there the task keeps the priority of its first waiter.
    private static func escalate(_ task: Task<Void, Never>, to priority: TaskPriority) {
        if #available(iOS 26, macOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            task.escalatePriority(to: priority)
        }
    }
}
