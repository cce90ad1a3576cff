/// A task that makes an instance for all who ask for it. The cancellation of one of them does not end it, and it is as
/// urgent as the most urgent of them.
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

    /// Starts the task, which inherits the task-local values of the one that runs.
    func start(_ operation: @escaping @Sendable () async -> Void) {
        withLock { $0.operation = operation }
        let task = Task {
            await perform()
            // By now nothing of the instance, or of what its factory has captured, is held here: what those who are woken
            // let go of is gone.
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

    /// The instance is not needed any more: wakes all that wait, and cancels the task.
    func cancel() {
        let task = withLock { state in
            state.isCancelled = true
            return state.task
        }
        end.open()
        task?.cancel()
    }

    /// Waits for the end, while the creation task is as urgent as the running task.
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

    /// Systems that are older cannot; there the task keeps the priority of the one that asked first.
    private static func escalate(_ task: Task<Void, Never>, to priority: TaskPriority) {
        if #available(iOS 26, macOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            task.escalatePriority(to: priority)
        }
    }
}
