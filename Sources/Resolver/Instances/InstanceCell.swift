/// Where one keeper keeps the instance of one registration: empty, being made, or ready.
///
/// Exactly one thread or task makes it, the others wait for this cell and nothing else. No lock is held while a factory runs or
/// an instance is released. Aliases have slots of their own on the cell of the registration they stand for; what a
/// registration keeps for each argument is in branches of its cell.
final class InstanceCell: Guarded<InstanceCell.State>, @unchecked Sendable {
    /// How the keeper holds on to an instance.
    enum ReferenceStrength: Sendable {
        case strong
        case weak
    }

    /// What one who comes to the cell does next.
    enum Access {
        case take(AnyObject)
        case create(Maker)
        /// Another thread or task is making it.
        case wait(Creation)
        /// The one who asks is making it: a thread, further up its stack.
        case reentered
        /// Another thread is making it, has got as far as its properties, and waits for the one who asks.
        case unfinished(AnyObject)
        /// Others made one that cannot be kept, so there is nothing to share.
        case uncached
        /// Nothing is made here any more.
        case retired
    }

    /// A thread or a task that makes the instance, and what it makes. It hands this back when it has ended.
    struct Maker {
        /// Tells whether the cell still waits for it: a reset forgets the maker.
        fileprivate let number: UInt64
        let node: Unretained<WaitNode>
        fileprivate let subject: ResolutionStep
        fileprivate let identity: UInt64
        /// Those who wait; nil as long as none do and it is a thread that makes the instance.
        fileprivate(set) var creation: Creation?

        /// What those who come now wait for.
        fileprivate mutating func waitable() -> Creation {
            if let creation { return creation }
            let new = Creation(owner: node.object, subject: subject, identity: identity, number: number)
            creation = new
            return new
        }
    }

    struct State {
        var kept = CachedInstance()
        fileprivate(set) var maker: Maker?
        /// Creations that a reset has forgotten, and that others still wait for. nil for none.
        private var forgotten: [Creation]?
        /// Slots that answer hits for this cell. Only a strongly kept instance is ever in one.
        var slots = FastSlots()
        var branches: Branches?
        /// Set for a branch that was taken off its cell, and for all cells of a scope that has ended.
        var isRetired = false

        /// Takes out everything that is kept here, also from the slots.
        mutating func invalidate(_ end: End = .reset, into invalidated: inout Invalidated) {
            if end == .scopeEnded { invalidated.cancelled = retire() }
            if end == .retired { isRetired = true }
            swap(&kept, &invalidated.kept)
            invalidated.credits = slots.invalidate()
            forgetMaker()
        }

        /// The scope has ended: nothing is made here any more, and what is kept is not handed out.
        ///
        /// - Returns: the creation whose creation task is to be cancelled. It is not needed any more; those who wait are told so. What a thread
        ///   makes it makes for its own caller.
        mutating func retire() -> Creation? {
            isRetired = true
            guard let creation = maker?.creation, creation.task != nil else {
                forgetMaker()
                return nil
            }
            maker = nil
            creation.settle(.crashed(ResolutionError.scopeEnded(creation.subject)))
            return creation
        }

        private mutating func forgetMaker() {
            if let creation = maker?.creation, creation.task == nil { forgotten = (forgotten ?? []) + [creation] }
            maker = nil
        }

        /// `maker` has ended: settles the outcome for those who wait.
        ///
        /// - Returns: whether the cell has waited for it, and those who are to be woken.
        fileprivate mutating func end(_ maker: Maker, _ outcome: Creation.Outcome) -> (isExpected: Bool, Creation?) {
            let isExpected = self.maker?.number == maker.number
            let creation = isExpected ? self.maker?.creation : maker.creation ?? takeForgotten(maker.number)
            if isExpected { self.maker = nil }
            creation?.settle(outcome)
            return (isExpected, creation)
        }

        private mutating func takeForgotten(_ number: UInt64) -> Creation? {
            guard let index = forgotten?.firstIndex(where: { $0.number == number }) else { return nil }
            return forgotten?.remove(at: index)
        }

        /// What a call that cannot wait for the maker may look at.
        fileprivate mutating func waitable() -> Creation? { maker?.waitable() }

        var isIdle: Bool { kept.isNothing && maker == nil && branches?.isEmpty ?? true }

        mutating func publish(
            _ face: AnyObject, of instance: AnyObject, in slot: FastSlot, beside companion: FastSlot?,
            if isWanted: () -> Bool
        ) {
            guard isWanted(), kept.isHeld(instance), !isRetired, !slots.contains(slot) else { return }
            if let companion, !slots.contains(companion) { return }
            if slot.publish(face) { slots.add(slot) }
        }

        /// What may be handed out.
        var object: AnyObject? { isRetired ? nil : kept.object }
    }

    /// Whose instance is kept here; nil for a branch, and for what is kept outside of scopes.
    let store: InstanceStore?
    /// Whether it belongs to a definition, and so to other resolvers as well.
    let isShared: Bool
    /// Whether an isolating resolver, or a scope of a context, keeps it to itself: a reset of the scope does not reach it.
    let isIsolated: Bool
    /// For a branch: what sets its instance apart from others in a resolution cycle.
    let number: UInt64
    /// Where its store lists it, if it may keep something. Guarded by the lock of the store.
    @exclusivity(unchecked) var listing: Int?

    init(of store: InstanceStore? = nil, isShared: Bool = false, isIsolated: Bool = false, number: UInt64 = 0) {
        self.store = store
        self.isShared = isShared
        self.isIsolated = isIsolated
        self.number = number
        super.init(State())
    }

    // MARK: Making an instance

    /// Finds out what to do. Never waits.
    ///
    /// - Parameters:
    ///   - node: who asks.
    ///   - identity: what the instance is known by in a resolution cycle.
    ///   - task: the creation task that will make the instance, if it is to be one.
    ///   - timer: the time to live of what is kept; one whose time is over is released before anything else is done.
    ///   - isWanted: asked under the lock. A thread that makes it false empties the cell afterwards, so no creation that began
    ///     before stays, and none begins after.
    func turn(
        of node: WaitNode, subject: ResolutionStep, identity: UInt64 = 0, task: CreationTask? = nil,
        timer: ExpiryTimer? = nil, isWanted: () -> Bool = { true }
    ) -> Access {
        while true {
            let moment = timer?.moment
            // What must not be released under the lock.
            var found: AnyObject?
            var expired = Invalidated()
            let turn: Access? = withLock { state in
                found = state.object
                if let found {
                    guard state.kept.isOver(at: moment) else {
                        state.kept.use(at: moment)
                        return .take(found)
                    }
                    state.invalidate(into: &expired)
                    return nil
                }
                if let maker = state.maker {
                    return maker.node.refers(to: node) ? .reentered : .wait(state.maker!.waitable())
                }
                guard isWanted(), !state.isRetired else { return .retired }
                let number = ProcessIdentity.next()
                let creation = task.map {
                    Creation(owner: node, subject: subject, identity: identity, number: number, task: $0)
                }
                let maker = Maker(
                    number: number, node: Unretained(node), subject: subject, identity: identity, creation: creation)
                state.maker = maker
                return .create(maker)
            }
            withExtendedLifetime(found) {}
            if let turn { return turn }
            ResolutionCycle.current.withoutPass { expired.release() }
        }
    }

    /// `maker` has ended with an instance, which is stored unless the cell was emptied meanwhile.
    ///
    /// - Parameters:
    ///   - slot: answers hits from now on, if `isUnconditional`: see `publish`.
    /// - Returns: whether the instance is kept.
    func finish(
        _ maker: Maker, with object: AnyObject, strength: ReferenceStrength,
        releaseHooks: ReleaseHooks = ReleaseHooks(), since: Int64? = nil, in slot: FastSlot? = nil,
        if isUnconditional: () -> Bool = { true }
    ) -> Bool {
        // A weakly kept predecessor is dead, but its side table is released outside the lock all the same.
        var cached = CachedInstance(object, strength: strength, releaseHooks: releaseHooks, since: since)
        let (isKept, creation) = withLock { state in
            let end = state.end(maker, .made(object))
            guard end.isExpected else { return end }
            swap(&state.kept, &cached)
            if let slot { state.publish(object, of: object, in: slot, beside: nil, if: isUnconditional) }
            return end
        }
        creation?.wake()
        withExtendedLifetime(cached) {}
        return isKept
    }

    /// `maker` has ended without an instance to keep.
    func finish(_ maker: Maker, without outcome: Creation.Outcome) {
        withLock { $0.end(maker, outcome).1 }?.wake()
    }

    // MARK: Looking

    /// The kept instance, if there is one. Never waits for another thread's factory.
    var kept: AnyObject? {
        withLock { $0.object }
    }

    /// The kept instance, unless its time is over.
    func kept(_ timer: ExpiryTimer?, isUse: Bool) -> AnyObject? {
        let moment = timer?.moment
        return withLock { state in
            if state.kept.isOver(at: moment) { return nil }
            if isUse { state.kept.use(at: moment) }
            return state.object
        }
    }

    /// What others make at the moment, to be looked at and not waited for.
    var running: Creation? { withLock { $0.waitable() } }

    func isBeingFilled(by node: WaitNode) -> Bool {
        withLock { $0.maker?.node.refers(to: node) ?? false }
    }

    /// The order of what is kept; 0 if nothing is.
    var order: UInt64 {
        withLock { $0.kept.order }
    }

    /// Whether nothing is kept here, or being made to be kept.
    var isIdle: Bool {
        withLock { $0.isIdle }
    }

    /// Whether nothing is made here any more.
    var isRetired: Bool {
        withLock { $0.isRetired }
    }

    /// The time to live of what is kept was changed.
    func restart() {
        withLock { $0.kept.restart() }
    }

    // MARK: Slots

    /// Lets `slot` answer hits with `face`, the form of the kept instance that the slot's registration hands out.
    ///
    /// - Parameters:
    ///   - companion: another slot that must be answering hits for this cell now.
    ///   - isWanted: asked under the lock. A thread that makes it false invalidates the slots afterwards, so no hit is answered here
    ///     from then on.
    func publish(
        _ face: AnyObject, of instance: AnyObject, in slot: FastSlot, beside companion: FastSlot?,
        if isWanted: () -> Bool
    ) {
        withLock { $0.publish(face, of: instance, in: slot, beside: companion, if: isWanted) }
    }

    /// Takes `slot` out of service: its registration is no longer served from here.
    func invalidate(_ slot: FastSlot) {
        let credits = withLock { state in
            state.slots.remove(slot)
            return slot.invalidate()
        }
        credits?.release()
    }

    /// Takes every slot out of service. The keeper, when it is asked again, puts back those that still belong.
    func invalidateFastSlots() {
        takeSlots().release()
    }

    /// Takes every slot out of service. The caller releases outside of every lock what was in them.
    func takeSlots() -> FastSlots.Invalidated {
        withLock { $0.slots.invalidate() }
    }
}
