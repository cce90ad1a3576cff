/// Where one keeper keeps the instance of one registration: empty, being made, or ready.
///
/// Exactly one thread makes it, the others wait for this cell and nothing else. No lock is held while a factory runs or
/// an instance is released. Aliases have slots of their own on the cell of the registration they stand for.
final class CreationCell: Sendable {
    /// How the keeper holds on to an instance.
    enum Grip: Sendable {
        case strong
        case weak
    }

    /// What a thread that comes to the cell does next.
    enum Turn {
        case take(AnyObject)
        case create(Creation)
        /// This very thread is making it, further up its stack.
        case reentered
        /// Others made one that cannot be kept, so there is nothing to share.
        case makeOwn
        /// Nothing is made here any more.
        case lookAgain
    }

    private enum Kept {
        case nothing
        case strong(AnyObject)
        case weak(WeakReference)

        var object: AnyObject? {
            switch self {
            case .nothing: nil
            case .strong(let object): object
            case .weak(let reference): reference.object
            }
        }
    }

    private struct State {
        var kept = Kept.nothing
        var creation: Creation?
        /// Slots that answer hits for this cell. Only a strongly kept instance is ever in one.
        var slots: [InstanceSlot] = []
    }

    private let state = Guarded(State())

    /// Finds out what to do; where another thread is making the instance, waits for that first.
    ///
    /// - Parameter isWanted: asked under the lock. Whoever makes it false empties the cell afterwards, so no creation that
    ///   began before stays, and none begins after.
    /// - Throws: `.circularDependency` if the other thread waits for this one.
    func enter(
        _ node: WaitNode, subject: PathElement, isWanted: () -> Bool = { true }
    ) throws(ResolutionError) -> Turn {
        while true {
            var awaited: Creation?
            let turn = try state.withLock { state throws(ResolutionError) -> Turn? in
                if let object = state.kept.object { return .take(object) }
                guard let running = state.creation else {
                    guard isWanted() else { return .lookAgain }
                    let creation = Creation(owner: node, subject: subject)
                    state.creation = creation
                    return .create(creation)
                }
                if running.owner === node { return .reentered }
                try running.enlist(node)
                awaited = running
                return nil
            }
            if let turn { return turn }
            switch awaited?.wait() {
            case .made(let object): return .take(object)
            case .unkeepable: return .makeOwn
            case .failed, nil: continue
            }
        }
    }

    /// Ends `creation` with an instance, which is stored unless the cell was emptied meanwhile.
    ///
    /// - Returns: whether the instance is kept.
    func finish(_ creation: Creation, with object: AnyObject, grip: Grip) -> Bool {
        // A weakly kept predecessor is dead, but its side table is released outside the lock all the same.
        var old = Kept.nothing
        let isKept = state.withLock { state in
            creation.settle(.made(object))
            guard state.creation === creation else { return false }
            state.creation = nil
            old = state.kept
            state.kept = grip == .strong ? .strong(object) : .weak(WeakReference(object))
            return true
        }
        creation.wake()
        withExtendedLifetime(old) {}
        return isKept
    }

    /// Ends `creation` without an instance to keep.
    func finish(_ creation: Creation, without outcome: Creation.Outcome) {
        state.withLock { state in
            creation.settle(outcome)
            if state.creation === creation { state.creation = nil }
        }
        creation.wake()
    }

    /// The kept instance, if there is one. Never waits for another thread's factory.
    var kept: AnyObject? {
        state.withLock { $0.kept.object }
    }

    func isBeingFilled(by node: WaitNode) -> Bool {
        state.withLock { $0.creation?.owner === node }
    }

    /// Lets `slot` answer hits with `face`, the form of the kept instance that the slot's registration hands out.
    ///
    /// - Parameter companion: another slot that must be answering hits for this cell now.
    func publish(_ face: AnyObject, of instance: AnyObject, in slot: InstanceSlot, beside companion: InstanceSlot?) {
        state.withLock { state in
            guard case .strong(let object) = state.kept, object === instance, !state.slots.contains(slot) else {
                return
            }
            if let companion, !state.slots.contains(companion) { return }
            if slot.publish(face) { state.slots.append(slot) }
        }
    }

    /// Takes `slot` out of service: its registration is no longer served from here.
    func withdraw(_ slot: InstanceSlot) {
        let credits = state.withLock { state in
            state.slots.removeAll { $0 == slot }
            return slot.withdraw()
        }
        credits?.release()
    }

    /// Takes every slot out of service. The keeper, when it is asked again, puts back those that still belong.
    func withdrawSlots() {
        let credits = state.withLock { state in
            let credits = state.slots.compactMap { $0.withdraw() }
            state.slots = []
            return credits
        }
        for credit in credits { credit.release() }
    }

    /// Lets go of the instance, and of the result of a creation that has not ended yet.
    ///
    /// When this returns, the cell's own references are gone; the instance lives on only where somebody else holds it.
    func empty() {
        let (old, credits) = state.withLock { state in
            let old = state.kept
            let credits = state.slots.compactMap { $0.withdraw() }
            state = State()
            return (old, credits)
        }
        for credit in credits { credit.release() }
        withExtendedLifetime(old) {}
    }
}
