/// One run of a factory whose result is to be kept, and the threads that wait for it.
///
/// Its identity is the generation of the cell: a reset forgets the creation, and a creation that the cell has forgotten
/// hands its result to its own callers and stores nothing.
///
/// `@unchecked Sendable`: `waiters` and the making of `finished` are guarded by the lock of the cell; `outcome` is
/// written once, under that lock and before `finished` opens, and read after.
final class Creation: @unchecked Sendable {
    enum Outcome {
        case made(AnyObject)
        /// Made, but not a thing that its keeper can keep: every waiter makes its own.
        case unkeepable
        /// The factory threw or returned nil: one of the waiters tries again.
        case failed
    }

    let owner: WaitNode
    let subject: PathElement
    /// Made by the first to wait; most creations are over before anybody asks.
    private var finished: Latch?
    private var outcome = Outcome.failed
    private var waiters: [WaitNode] = []

    init(owner: WaitNode, subject: PathElement) {
        self.owner = owner
        self.subject = subject
    }

    /// Under the cell's lock: `node` will wait. Throws if it would wait for itself.
    func enlist(_ node: WaitNode) throws(ResolutionError) {
        try WaitGraph.shared.beginWaiting(node, for: self)
        waiters.append(node)
        if finished == nil { finished = Latch() }
    }

    /// Under the cell's lock: no waiter waits any longer, as far as the wait graph is concerned.
    func settle(_ outcome: Outcome) {
        self.outcome = outcome
        WaitGraph.shared.endWaiting(waiters)
        waiters = []
    }

    /// Outside the lock, after `settle`.
    func wake() {
        finished?.open()
    }

    /// Outside the lock, after `enlist`.
    func wait() -> Outcome {
        finished?.wait()
        return outcome
    }
}
