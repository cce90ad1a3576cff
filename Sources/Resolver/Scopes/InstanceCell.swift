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
        case create(Creation)
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

    struct State {
        var kept = CachedInstance()
        var creation: Creation?
        /// Slots that answer hits for this cell. Only a strongly kept instance is ever in one.
        var slots = FastSlots()
        var branches = Branches()
        /// Set for a branch that was taken off its cell, and for all cells of a scope that has ended.
        var isRetired = false

        /// Takes out everything that is kept here, also from the slots.
        mutating func invalidate(_ end: End = .reset) -> Invalidated {
            let flight = end == .scopeEnded ? retire() : nil
            if end == .retired { isRetired = true }
            defer {
                kept = CachedInstance()
                creation = nil
            }
            return Invalidated(kept: kept, credits: slots.invalidate(), flight: flight)
        }

        /// The scope has ended: nothing is made here any more, and what is kept is not handed out.
        ///
        /// - Returns: the creation whose flight is to be cancelled. It is not needed any more; those who wait are told so. What a thread
        ///   makes it makes for its own caller.
        mutating func retire() -> Creation? {
            isRetired = true
            guard let flight = creation.take(), flight.flight != nil else { return nil }
            flight.settle(.crashed(ResolutionError.scopeEnded(flight.subject)))
            return flight
        }

        var isIdle: Bool { kept.isNothing && creation == nil && branches.isEmpty }

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
    ///   - flight: the task that will make the instance, if it is to be one.
    ///   - timer: the time to live of what is kept; one whose time is over is released before anything else is done.
    ///   - isWanted: asked under the lock. A thread that makes it false empties the cell afterwards, so no creation that began
    ///     before stays, and none begins after.
    func turn(
        of node: WaitNode, subject: ResolutionStep, identity: UInt64 = 0, flight: Flight? = nil,
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
                    expired = state.invalidate()
                    return nil
                }
                if let running = state.creation { return running.owner === node ? .reentered : .wait(running) }
                guard isWanted(), !state.isRetired else { return .retired }
                let creation = Creation(owner: node, subject: subject, identity: identity, flight: flight)
                state.creation = creation
                return .create(creation)
            }
            withExtendedLifetime(found) {}
            if let turn { return turn }
            ResolutionCycle.current.withoutPass { expired.release() }
        }
    }

    /// Ends `creation` with an instance, which is stored unless the cell was emptied meanwhile.
    ///
    /// - Returns: whether the instance is kept.
    func finish(
        _ creation: Creation, with object: AnyObject, strength: ReferenceStrength,
        releaseHooks: ReleaseHooks = ReleaseHooks(), since: Int64? = nil
    ) -> Bool {
        let new = CachedInstance(object, strength: strength, releaseHooks: releaseHooks, since: since)
        // A weakly kept predecessor is dead, but its side table is released outside the lock all the same.
        var old: CachedInstance?
        let isKept = withLock { state in
            creation.settle(.made(object))
            guard state.creation === creation else { return false }
            state.creation = nil
            old = state.kept
            state.kept = new
            return true
        }
        creation.wake()
        withExtendedLifetime(old) {}
        return isKept
    }

    /// Ends `creation` without an instance to keep.
    func finish(_ creation: Creation, without outcome: Creation.Outcome) {
        withLock { state in
            creation.settle(outcome)
            if state.creation === creation { state.creation = nil }
        }
        creation.wake()
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

    func isBeingFilled(by node: WaitNode) -> Bool {
        withLock { $0.creation?.owner === node }
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
        withLock { state in
            guard isWanted(), state.kept.isHeld(instance), !state.isRetired, !state.slots.contains(slot)
            else { return }
            if let companion, !state.slots.contains(companion) { return }
            if slot.publish(face) { state.slots.add(slot) }
        }
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
