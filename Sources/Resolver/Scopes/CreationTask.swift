/// A task that creates an instance for all its waiters.
///
/// The cancellation of a waiter does not end the task. Its priority is at least that of the most urgent waiter.
///
/// `@unchecked Sendable`: `operation` is set before the task begins, and then belongs to the task. The other properties are accessed
/// under the lock of the latch, which opens with the end of the task.
final class CreationTask: TaskLatch, @unchecked Sendable {
    @exclusivity(unchecked) private var operation: (@Sendable () async -> Void)?
    @exclusivity(unchecked) private var task: Task<Void, Never>?
    @exclusivity(unchecked) private var priority: TaskPriority?
    @exclusivity(unchecked) private var isCancelled = false

    /// Starts the task, which inherits the task-local values of the running task.
    ///
    /// - Parameter isAtOnce: whether the task runs on this thread until it is first suspended. Older systems cannot do that.
    func start(isAtOnce: Bool = false, _ operation: @escaping @Sendable () async -> Void) {
        self.operation = operation
        if isAtOnce, #available(iOS 26, macOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            Task.immediate {
                // Adopted inside, because another thread may cancel the task before its first suspension.
                if let running = Task.running { adopt(running) }
                await perform()
            }
        } else {
            adopt(Task { await perform() })
        }
    }

    /// Stores the task, which waiters may have escalated and a reset may have cancelled already.
    private func adopt(_ task: Task<Void, Never>) {
        let (priority, isCancelled) = withLock { _ in
            self.task = task
            return (self.priority, self.isCancelled)
        }
        if let priority { CreationTask.escalate(task, to: priority) }
        if isCancelled { task.cancel() }
    }

    private func perform() async {
        await operation.take()?()
        // The task no longer holds the instance or the factory's captures, so objects that the woken waiters release are deallocated
        // at once.
        open()
    }

    /// Wakes all waiters and cancels the task, whose instance is not needed any more.
    func cancel() {
        let task = withLock { _ in
            isCancelled = true
            return self.task
        }
        open()
        task?.cancel()
    }

    /// Waits for the end. Meanwhile the priority of the creation task is at least that of the running task.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    nonisolated(nonsending) func waitForEnd() async throws {
        if isOpen { return }
        escalate(to: Task.currentPriority)
        if #available(iOS 26, macOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            try await withTaskPriorityEscalationHandler {
                try await wait()
            } onPriorityEscalated: { _, priority in
                self.escalate(to: priority)
            }
        } else {
            try await wait()
        }
    }

    private func escalate(to priority: TaskPriority) {
        let task = withLock { _ in
            self.priority = max(self.priority ?? priority, priority)
            return self.task
        }
        if let task { CreationTask.escalate(task, to: priority) }
    }

    /// Raises the priority of a task. On older systems, which cannot do that, the task keeps the priority of its first waiter.
    private static func escalate(_ task: Task<Void, Never>, to priority: TaskPriority) {
        if #available(iOS 26, macOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            task.escalatePriority(to: priority)
        }
    }
}
