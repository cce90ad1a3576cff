/// One run of a factory whose result is to be kept, and the threads and tasks that wait for it.
///
/// Created with the first waiter, or with the creation task that runs the factory. If a reset forgets the creation, its result goes to
/// its own caller and to the waiters, and is not kept.
///
/// `@unchecked Sendable`: the lock of the cell guards `outcome`, and `waits` until the creation is settled; then `waits` belongs to the
/// thread that settles it.
final class Creation: @unchecked Sendable {
    enum Outcome {
        case made(AnyObject)
        /// The factory returned a service that the scope cannot keep. Each waiter creates its own.
        case unkeepable
        /// The factory threw or returned nil, or the task was cancelled before it started the creation task. One waiter tries again.
        case failed
        /// The creation task ended without an instance to keep. All waiters get this result.
        case finished(AnyObject?)
        /// The creation task failed, or the scope of the instance has ended. All tasks that wait get this error; threads look again.
        case crashed(any Error)
    }

    /// The thread or task that creates the instance.
    let node: WaitNode
    let subject: ResolutionStep
    /// The identity under which the creator's resolution cycle has the object while its properties are being resolved; 0 if it never has.
    let identity: UInt64
    let number: UInt64
    /// The task that creates the instance; nil if a thread does.
    let task: CreationTask?
    /// The outcome, once the creation is settled.
    @exclusivity(unchecked) private(set) var outcome: Outcome?
    var isSettled: Bool { outcome != nil }
    /// The waits. There may be thousands, and all of them may be cancelled.
    @exclusivity(unchecked) private var waits = Slab<Wait>()

    init(node: WaitNode, subject: ResolutionStep, identity: UInt64, number: UInt64, task: CreationTask? = nil) {
        self.node = node
        self.subject = subject
        self.identity = identity
        self.number = number
        self.task = task
    }

    /// Adds a wait. Called under the cell's lock, before the creation is settled.
    func enlist(_ wait: Wait) { wait.index = waits.insert(wait) }

    /// Removes the wait of a cancelled waiter. Called under the cell's lock. After `settle`, all waits are forgotten.
    func invalidate(_ wait: Wait) { if !isSettled, let index = wait.index { _ = waits.remove(at: index) } }

    /// Sets the outcome and removes all waits from the wait graph. Called under the cell's lock. A second call has no effect.
    func settle(_ outcome: Outcome) {
        if isSettled { return }
        self.outcome = outcome
        WaitGraph.shared.end(waits)
    }

    /// Whether no caller gets the instance of a finished factory, because the scope has ended. Read after the creation is settled.
    var isAbandoned: Bool { if case .crashed? = outcome { true } else { false } }

    /// Wakes the waiters. The caller of `settle` calls it afterwards, outside the lock. The waiters of a creation task are woken when the
    /// task ends.
    func wake() {
        waits.forEach { $0.wake() }
        waits = Slab()
    }

    /// Cancels the creation task, if there is one, and wakes the waiters. Called like `wake`.
    func cancel() {
        task?.cancel()
        wake()
    }
}

extension InstanceCell {
    /// The claim of a caller to create the instance of a cell. The caller passes it to `finish`.
    struct Claim {
        /// The number of the creation. After a reset, the cell has forgotten the number, and does not store the instance.
        let number: UInt64
        /// The waiters, if a creation task creates the instance.
        var creation: Creation?
    }

    /// A creation that is running.
    struct Running {
        let number: UInt64
        let node: Unretained<WaitNode>
        let subject: ResolutionStep
        let identity: UInt64
        /// The waiters; nil while a thread creates the instance and nothing waits for it.
        var creation: Creation?

        /// Returns the creation that a new waiter waits for, and that `task` runs, if it is given.
        mutating func waitable(runBy task: CreationTask? = nil) -> Creation {
            if let creation { return creation }
            let new = Creation(node: node.object, subject: subject, identity: identity, number: number, task: task)
            creation = new
            return new
        }
    }
}

// MARK: Waiting for a creation of another thread or task

extension InstanceCell {
    /// Returns what a thread does next, as `turn` does, but waits if another thread is creating the instance.
    ///
    /// - Parameter mayMakeApart: whether the call may create its own instance, which is not kept, if its wait would close a cycle.
    /// - Throws: `.circularDependency` if the creator waits for this thread, and no instance exists yet on the dependency cycle;
    ///   `.requiresAsync` if a creation task is creating the instance.
    func enter(
        _ cycle: ResolutionCycle, subject: ResolutionStep, identity: UInt64 = 0, timer: ExpiryTimer? = nil,
        mayMakeApart: Bool = false, isWanted: () -> Bool = { true }
    ) throws(ResolutionError) -> Access {
        while true {
            let turn = turn(of: cycle.node, subject: subject, identity: identity, timer: timer, isWanted: isWanted)
            guard case .wait(let creation) = turn else { return turn }
            // Another registration of the same definition may have an asynchronous factory.
            if creation.task != nil { throw ResolutionError.requiresAsync(creation.subject.hop) }
            let wait = Wait(for: creation, by: cycle.makingPath, mayMakeApart: mayMakeApart)
            switch try begin(wait) {
            case .unfinished(let object): return .unfinished(object)
            case .apart: return .uncached
            case .waits(let other):
                other?.wake()
                wait.sleep()
            case nil: break
            }
            switch withLock({ _ in creation.outcome }) {
            case .made(let object): return .take(object)
            case .unkeepable: return .uncached
            // Nil if the thread was woken early, because it can get the unfinished object or create its own.
            case .failed, .finished, .crashed, nil: continue
            }
        }
    }

    /// Suspends the task until `creation` is over, and returns its outcome.
    ///
    /// - Parameters:
    ///   - mayMakeApart: as for `enter`.
    ///   - start: starts the creation task. It is called once the wait is in the wait graph, so a dependency cycle is detected in the
    ///     task that it starts.
    /// - Returns: nil if the task creates its own instance.
    /// - Throws: `.circularDependency`; `CancellationError` if the task is cancelled first.
    nonisolated(nonsending) func wait(
        for creation: Creation, mayMakeApart: Bool = false, start: () -> Void = {}
    ) async throws -> Creation.Outcome? {
        let frame = TaskFrame.current
        let wait = Wait(for: creation, by: DependencyPath(frame), mayMakeApart: mayMakeApart)
        let begun = try begin(wait)
        if case .apart? = begun { return nil }
        if case .waits(let other)? = begun { other?.wake() }
        start()
        do {
            // A task that finds a settled creation of a creation task waits for that task's end as well.
            if begun != nil || creation.task != nil { try await wait.suspend() }
        } catch {
            WaitGraph.shared.end(wait)
            withLock { _ in creation.invalidate(wait) }
            throw error
        }
        let outcome = withLock { _ in creation.outcome } ?? .failed
        guard case .crashed(let error as ResolutionError) = outcome else { return outcome }
        return .crashed(error.led(by: DependencyPath(frame).elements.map(\.hop)))
    }

    /// Suspends the task until `creation` is over, and returns its instance, if any.
    nonisolated(nonsending) func awaited(_ creation: Creation) async throws -> AnyObject? {
        switch try await wait(for: creation) {
        case .made(let object): return object
        case .crashed(let error): throw error
        case .unkeepable, .failed, .finished, nil: return nil
        }
    }

    /// Returns the unfinished instance, if its creator waits for the calling thread, and nil otherwise.
    ///
    /// For a call that cannot wait for a creation task.
    ///
    /// - Throws: `.circularDependency` if the creator waits for the calling thread, and no instance exists yet on the dependency cycle.
    func unfinished(for cycle: ResolutionCycle) throws(ResolutionError) -> AnyObject? {
        guard let running else { return nil }
        return try WaitGraph.shared.unfinishedObject(awaitedBy: Wait(for: running, by: cycle.makingPath))
    }

    /// Adds the wait to the wait graph and to the creation.
    ///
    /// - Returns: nil if the creation is over.
    private func begin(_ wait: Wait) throws(ResolutionError) -> WaitGraph.Start? {
        try withLock { _ throws(ResolutionError) in
            if wait.creation.isSettled { return nil }
            let start = try WaitGraph.shared.begin(wait)
            if case .waits = start { wait.creation.enlist(wait) }
            return start
        }
    }
}
