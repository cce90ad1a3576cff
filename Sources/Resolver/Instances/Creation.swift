/// Those who wait for one run of a factory whose result is to be kept. Made when the first of them comes, or with the creation task that runs it.
///
/// A reset forgets the maker, which then hands its result to its own callers, those who wait here among them, and stores nothing.
///
/// `@unchecked Sendable`: `waits` is guarded by the lock of the cell until the creation is settled, and is the owner's then;
/// `outcome` is written once, under that lock and before the latches open, and read after.
final class Creation: @unchecked Sendable {
    enum Outcome {
        case made(AnyObject)
        /// Made, but not a thing that its keeper can keep: every waiter makes its own.
        case unkeepable
        /// The factory threw or returned nil: one of the waiters tries again.
        case failed
        /// A creation task is over without an instance to keep; this is what all who waited for it get.
        case finished(AnyObject?)
        /// A creation task has failed, with an error for all who waited for it.
        case crashed(any Error)
    }

    let owner: WaitNode
    let subject: ResolutionStep
    /// What the instance is known by in the cycle of the thread that makes it, once it exists; 0 if it is not known there.
    let identity: UInt64
    /// The number of the maker.
    let number: UInt64
    /// The task that makes the instance; nil where a thread does.
    let task: CreationTask?
    @exclusivity(unchecked) private(set) var isSettled = false
    @exclusivity(unchecked) private var outcome = Outcome.failed
    @exclusivity(unchecked) private var waits: [Wait] = []

    init(owner: WaitNode, subject: ResolutionStep, identity: UInt64, number: UInt64, task: CreationTask? = nil) {
        self.owner = owner
        self.subject = subject
        self.identity = identity
        self.number = number
        self.task = task
    }

    /// Under the cell's lock, before it is settled.
    func enlist(_ wait: Wait) {
        waits.append(wait)
    }

    /// Under the cell's lock: a waiter gives up. Once it is settled, its owner forgets all of them.
    func invalidate(_ wait: Wait) {
        if !isSettled { waits.removeAll { $0 === wait } }
    }

    /// Under the cell's lock: nothing waits for it any longer, as far as the wait graph is concerned. What comes after the
    /// first time comes too late.
    func settle(_ outcome: Outcome) {
        if isSettled { return }
        self.outcome = outcome
        isSettled = true
        WaitGraph.shared.end(waits)
    }

    /// After it has been finished: whether its scope had ended, and no call got what was made.
    var isAbandoned: Bool {
        if case .crashed = outcome { true } else { false }
    }

    /// Outside the lock, after `settle`, by its owner. Those who wait for a creation task are woken by its own end.
    func wake() {
        for wait in waits { wait.wake() }
        waits = []
    }

    /// After a wait for it is over; nil if it is not over itself.
    func outcome(after wait: Wait) -> Outcome? { wait.isToLookAgain ? nil : outcome }
}
