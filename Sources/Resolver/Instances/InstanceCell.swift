/// A cell that keeps one registration's instance for one owner: empty, being created, or ready.
///
/// Exactly one thread or task creates the instance. Others wait for this creation and nothing else. No lock is held while a factory
/// runs or an instance is released. An alias has its own slot on the cell of the registration that it stands for. Instances that
/// are kept for each argument are in branches of the cell.
final class InstanceCell: Guarded<InstanceCell.State>, @unchecked Sendable {
    /// The strength of the reference to a kept instance.
    enum ReferenceStrength: Sendable {
        case strong
        case weak
    }

    /// The next step of the caller of `turn` or `enter`. `turn` never returns `unfinished` and `uncached`, and `enter` never `wait`.
    enum Access {
        case take(AnyObject)
        case create(Claim)
        /// Wait: another thread or task is creating the instance.
        case wait(Creation)
        /// The calling thread is creating the instance, further up its stack.
        case reentered
        /// Take this object: the thread that creates it is resolving its properties, and waits for the calling thread.
        case unfinished(AnyObject)
        /// Create an instance that is not kept: another thread found that the scope cannot keep the service, or a wait would close a cycle.
        case uncached
        /// Look elsewhere: no instance is created in this cell any more.
        case retired
    }

    struct State {
        var kept = CachedInstance()
        var running: Running?
        /// Creations that a reset has forgotten and that are still running, with their waiters; nil for none.
        private var forgotten: [Creation]?
        /// The slots that serve hits for this cell. They hold only a strongly kept instance.
        var slots = FastSlots()
        var branches: Branches?
        /// Whether no instance is created here any more: the branch was removed from its cell, or the scope or store has ended.
        var isRetired = false

        /// Moves the contents of the cell and its slots into `invalidated`, and forgets the creation.
        mutating func invalidate(_ end: End = .reset, into invalidated: inout Invalidated) {
            if end == .retired { isRetired = true }
            swap(&kept, &invalidated.kept)
            invalidated.credits = slots.invalidate()
            forgetCreation()
        }

        /// Retires the cell, whose scope has ended: no instance is created or handed out any more.
        ///
        /// - Returns: the creations that the caller cancels, including those that a reset has forgotten. Tasks that wait for them get
        ///   `scopeEnded`, and threads look again. An instance that a thread is creating goes only to that thread's caller.
        mutating func retire() -> [Creation] {
            isRetired = true
            forgetCreation()
            guard let cancelled = forgotten.take() else { return [] }
            for creation in cancelled { creation.settle(.crashed(ResolutionError.scopeEnded(creation.subject))) }
            return cancelled
        }

        mutating func forgetCreation() {
            if let creation = running?.creation {
                // Appended in place: there may be thousands.
                forgotten = forgotten ?? []
                forgotten?.append(creation)
            }
            running = nil
        }

        /// Whether a creation is running whose waiters the end of the scope has to reach, also one that a reset has forgotten.
        var isCreating: Bool { running != nil || forgotten?.isEmpty == false }

        /// Ends the claimed creation with an outcome.
        ///
        /// - Returns: whether the cell has not forgotten the creation, and the creation to wake.
        fileprivate mutating func end(_ claim: Claim, _ outcome: Creation.Outcome) -> (isExpected: Bool, Creation?) {
            let isExpected = running?.number == claim.number
            let creation = isExpected ? running?.creation : takeForgotten(claim.number)
            if isExpected { running = nil }
            creation?.settle(outcome)
            return (isExpected, creation)
        }

        private mutating func takeForgotten(_ number: UInt64) -> Creation? {
            guard let index = forgotten?.firstIndex(where: { $0.number == number }) else { return nil }
            return forgotten?.remove(at: index)
        }

        var isIdle: Bool { kept.isNothing && running == nil && branches?.isEmpty ?? true }

        mutating func publish(
            _ form: AnyObject, of instance: AnyObject, in slot: FastSlot, beside other: FastSlot?,
            if isWanted: () -> Bool
        ) {
            guard isWanted(), kept.isHeld(instance), !isRetired, slot.isEmpty else { return }
            if let other, !slots.contains(other) { return }
            if slot.publish(form) { slots.add(slot) }
        }

        /// The kept instance; nil also if the cell is retired.
        var object: AnyObject? { isRetired ? nil : kept.object }
    }

    /// The store of the instance; nil for a branch, and for an instance kept outside of scopes.
    let store: InstanceStore?
    /// Whether the cell belongs to a definition, and may be used by several resolvers.
    let isShared: Bool
    /// Whether a reset of the scope outside of tests empties the cell: no isolating resolver, test or scope of a context owns it.
    let isOfProcess: Bool
    /// The identity of a branch's instance in a resolution cycle; 0 for a cell that is no branch.
    let number: UInt64
    var isBranch: Bool { number != 0 }
    /// The index of the cell in its store's list, if it may keep an instance. Guarded by the lock of the store.
    @exclusivity(unchecked) var listing: Int?

    init(of store: InstanceStore? = nil, isShared: Bool = false, isOfProcess: Bool = false, number: UInt64 = 0) {
        self.store = store
        self.isShared = isShared
        self.isOfProcess = isOfProcess
        self.number = number
        super.init(State())
    }

    /// Releases a long chain of cells without exhausting the stack: a kept instance may own a cell with another one, and so on.
    deinit {
        var kept = CachedInstance()
        withLock { swap(&$0.kept, &kept) }
        kept.release()
    }

    // MARK: Creating an instance

    /// Returns what the caller does next. Never waits.
    ///
    /// Releases an expired instance first, and those that have been created and expired meanwhile. After `mostRounds` releases the call
    /// returns an expired instance: hooks that always create another one must not keep it from ending.
    ///
    /// - Parameters:
    ///   - node: the thread or task that calls.
    ///   - identity: the identity of the instance in a resolution cycle.
    ///   - task: the creation task that is to create the instance; nil if a thread does.
    ///   - timer: the time to live of the kept instance.
    ///   - isWanted: called under the lock. A thread that makes it false empties the cell afterwards, which forgets a creation that
    ///     began before. No creation begins after.
    func turn(
        of node: WaitNode, subject: ResolutionStep, identity: UInt64 = 0, task: CreationTask? = nil,
        timer: ExpiryTimer? = nil, isWanted: () -> Bool = { true }
    ) -> Access {
        var releases = 0
        while true {
            let moment = timer?.moment
            // Neither of these two may be released under the lock.
            var found: AnyObject?
            var expired = Invalidated()
            let turn: Access? = withLock { state in
                found = state.object
                if let found {
                    guard releases < ReleaseHooks.mostRounds, state.kept.isOver(at: moment) else {
                        state.kept.use(at: moment)
                        return .take(found)
                    }
                    state.invalidate(into: &expired)
                    return nil
                }
                if let running = state.running {
                    return running.node.refers(to: node) ? .reentered : .wait(state.running!.waitable())
                }
                guard isWanted(), !state.isRetired else { return .retired }
                var running = Running(
                    number: ProcessIdentity.next(), node: Unretained(node), subject: subject, identity: identity)
                let creation = task.map { running.waitable(runBy: $0) }
                state.running = running
                return .create(Claim(number: running.number, creation: creation))
            }
            withExtendedLifetime(found) {}
            if let turn { return turn }
            ResolutionCycle.current.withoutPass { expired.release() }
            releases += 1
        }
    }

    /// Ends a creation with an instance, which is stored unless the cell was emptied meanwhile.
    ///
    /// - Parameters:
    ///   - slot: the slot that serves hits from now on, if `isUnconditional` returns true: see `publish`.
    /// - Returns: whether the instance is kept.
    func finish(
        _ claim: Claim, with object: AnyObject, strength: ReferenceStrength,
        releaseHooks: ReleaseHooks = ReleaseHooks(), since: Int64? = nil, in slot: FastSlot? = nil,
        if isUnconditional: () -> Bool = { true }
    ) -> Bool {
        // A weakly kept predecessor has been deallocated, but its side table too is released outside the lock.
        var cached = CachedInstance(object, strength: strength, releaseHooks: releaseHooks, since: since)
        let (isKept, creation) = withLock { state in
            let end = state.end(claim, .made(object))
            guard end.isExpected else { return end }
            swap(&state.kept, &cached)
            if let slot { state.publish(object, of: object, in: slot, beside: nil, if: isUnconditional) }
            return end
        }
        creation?.wake()
        withExtendedLifetime(cached) {}
        return isKept
    }

    func finish(_ claim: Claim, without outcome: Creation.Outcome) { withLock { $0.end(claim, outcome).1 }?.wake() }

    // MARK: Looking

    /// The kept instance, if there is one. Never waits for the factory of another thread.
    var kept: AnyObject? { withLock { $0.object } }

    /// Returns the kept instance, unless its time to live is over.
    func kept(_ timer: ExpiryTimer?, isUse: Bool) -> AnyObject? {
        let moment = timer?.moment
        return withLock { state in
            if state.kept.isOver(at: moment) { return nil }
            if isUse { state.kept.use(at: moment) }
            return state.object
        }
    }

    /// The running creation, if any.
    var running: Creation? { withLock { $0.running?.waitable() } }

    /// The order of the kept instance; 0 for none.
    var order: UInt64 { withLock { $0.kept.order } }

    /// Whether no instance is kept here, and none is being created to be kept.
    var isIdle: Bool { withLock { $0.isIdle } }

    var isRetired: Bool { withLock { $0.isRetired } }

    /// Whether nothing is kept, and no creation is running, not even one that a reset has forgotten, here and in branches.
    var isUnused: Bool { withBranches.allSatisfy { $0.withLock { $0.kept.isNothing && !$0.isCreating } } }

    /// Restarts the time to live of the instance at its next use, after that time was changed.
    func restart() { withLock { $0.kept.restart() } }

    // MARK: Slots

    /// Publishes an instance in `slot`, which serves hits from now on.
    ///
    /// The published object is the kept instance in the form that the registration of the slot hands out.
    ///
    /// - Parameters:
    ///   - other: another slot. If it does not serve hits for this cell, nothing is published.
    ///   - isWanted: called under the lock. A thread that makes it false invalidates the slots afterwards, so no hit is served from
    ///     then on.
    func publish(
        _ form: AnyObject, of instance: AnyObject, in slot: FastSlot, beside other: FastSlot?,
        if isWanted: () -> Bool
    ) {
        withLock { $0.publish(form, of: instance, in: slot, beside: other, if: isWanted) }
    }

    /// Retires the cell: no instance is created or handed out any more. Empties `slot`, which no longer belongs to the cell.
    ///
    /// - Returns: what the slot held. The caller releases it outside every lock.
    @discardableResult
    func retire(from slot: FastSlot? = nil) -> FastSlot.Invalidated? {
        withLock { state in
            state.isRetired = true
            guard let slot else { return nil }
            state.slots.remove(slot)
            return slot.invalidate()
        }
    }

    /// Empties all slots and returns their credits, which the caller releases outside every lock. Later calls through the store fill
    /// those that still belong to the cell.
    func takeSlots() -> FastSlots.Invalidated { withLock { $0.slots.invalidate() } }
}
