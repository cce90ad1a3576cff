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
