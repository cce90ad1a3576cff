/// One run of a factory whose result is to be kept, and those who wait for it.
///
/// Its identity is the generation of the cell: a reset forgets the creation, and a creation that the cell has forgotten
/// hands its result to its own callers and stores nothing.
///
/// `@unchecked Sendable`: `waiters` and the making of the latches are guarded by the lock of the cell; `outcome` is
/// written once, under that lock and before the latches open, and read after.
final class Creation: @unchecked Sendable {
    enum Outcome {
        case made(AnyObject)
        /// Made, but not a thing that its keeper can keep: every waiter makes its own.
        case unkeepable
        /// The factory threw or returned nil: one of the waiters tries again.
        case failed
        /// A flight is over without an instance to keep; this is what all who waited for it get.
        case landed(Result<AnyObject?, any Error>)
    }

    let owner: WaitNode
    let subject: PathElement
    /// The task that makes the instance; nil where a thread does.
    let flight: Flight?
    private(set) var isSettled = false
    private var outcome = Outcome.failed
    private var waiters: [WaitNode] = []
    // Made by the first to wait; most creations are over before anybody asks.
    private var latch: Latch?
    private var taskLatch: TaskLatch?

    init(owner: WaitNode, subject: PathElement, flight: Flight?) {
        self.owner = owner
        self.subject = subject
        self.flight = flight
    }

    /// Under the cell's lock: a thread will wait, or a task. Throws if it would wait for itself.
    func enlist(_ nodes: [WaitNode], _ wait: Wait, isThread: Bool) throws(ResolutionError) {
        try WaitGraph.shared.begin(wait, of: nodes)
        waiters += nodes
        if isThread, latch == nil { latch = Latch() }
        if !isThread, flight == nil, taskLatch == nil { taskLatch = TaskLatch() }
    }

    /// Under the cell's lock: no waiter waits any longer, as far as the wait graph is concerned. What comes after the
    /// first time comes too late.
    func settle(_ outcome: Outcome) {
        if isSettled { return }
        self.outcome = outcome
        isSettled = true
        WaitGraph.shared.end(self, for: waiters)
        waiters = []
    }

    /// After it has been finished: whether its scope had ended, and nobody got what was made.
    var isAbandoned: Bool {
        if case .landed(.failure) = outcome { true } else { false }
    }

    /// Outside the lock, after `settle`. Those who wait for a flight are woken by its own end.
    func wake() {
        latch?.open()
        taskLatch?.open()
    }

    /// Outside the lock, after `enlist`, or once it is settled.
    func wait() -> Outcome {
        latch?.wait()
        return outcome
    }

    /// The same for a task, which the one that makes the instance is as urgent as.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    nonisolated(nonsending) func suspend() async throws -> Outcome {
        if let flight { try await flight.wait() } else { try await taskLatch?.wait() }
        return outcome
    }
}
