/// What one keeping scope keeps: a cell for each registration that it was asked for, and for each keeper.
///
/// The cell of a registration stands in the registration itself when this store was the first to keep for it, which is
/// nearly all that happens in practice; others stand in the directory of a resolver. See `AnyResolverRegistration.seat`.
final class InstanceStore: Guarded<InstanceStore.State>, @unchecked Sendable {
    /// What an instance belongs to.
    enum Identity: Sendable {
        /// One instance for each registration: two resolvers, two instances.
        case registration
        /// One instance for each definition: the same `register` call, run on two resolvers, means the same instance.
        case definition
    }

    struct State {
        /// The cells that may keep something.
        fileprivate var filled = Slab<InstanceCell>()
        /// The cells of definitions; weak, so that a definition that is no longer registered leaves nothing behind.
        fileprivate var definitions = WeakTable<SingletonKey>()
        /// Its scope is gone.
        fileprivate var hasEnded = false
    }

    /// Never reused, unlike an address.
    let number = ProcessIdentity.next()
    let strength: InstanceCell.ReferenceStrength
    let identity: Identity

    /// How long what is kept lives, compared with scopes of contexts: what belongs to a lower rank is hidden while it is
    /// made.
    let rank: Int

    init(strength: InstanceCell.ReferenceStrength, identity: Identity = .registration, rank: Int = .max) {
        self.strength = strength
        self.identity = identity
        self.rank = rank
        super.init(State())
    }

    // MARK: Keeping

    /// The kept instance, or one made now and kept.
    ///
    /// - Parameters:
    ///   - keeper: whose instance it is, if that does not depend on the resolvers.
    ///   - scope: the scope that was asked, if the cycle does not know.
    func instance(
        of registration: AnyResolverRegistration, _ resolver: Resolver, _ args: PassedArguments,
        keeper: Unretained<RegistrationOwner>? = nil, in scope: ResolverScope? = nil, into memory: ServiceMemory
    ) throws -> Bool {
        let place = try Place(registration, resolver, args, keeper: keeper, in: self)
        let cycle = ResolutionCycle.current
        if registration.isAwaited, let awaited = cycle.awaited(registration, place.key) {
            guard let object = try awaited.get() else { return cycle.nothing(of: registration) }
            return handOut(object, of: registration, keptAt: place, into: memory)
        }
        let asked = scope.map(ObjectIdentifier.init) ?? cycle.scopeAsked(for: registration)
        if place.isAsync {
            return try instanceAlreadyMade(of: registration, at: place, in: asked, resolver, args, into: memory)
        }
        while true {
            let cell = place.cell
            switch try turn(of: cycle, in: cell, at: place, for: registration, asked) {
            case .take(let object):
                return handOut(object, of: registration, keptAt: place, into: memory)
            case .unfinished(let object):
                return registration.unpack(object, into: memory)
            case .create(let maker):
                // A reset has forgotten the creation that this thread is in. Its object exists all the same.
                if cycle.isMaking(registration), cycle.hasInstance(place.identity(in: cell)) {
                    giveUp(maker, in: cell, at: place, .failed)
                    return try reenter(registration, in: cell, at: place, resolver, args, into: memory)
                }
                return try create(maker, in: cell, at: place, of: registration, resolver, args, into: memory)
            case .reentered:
                return try reenter(registration, in: cell, at: place, resolver, args, into: memory)
            case .uncached:
                return try registration.make(resolver, args, into: memory)
            case .retired where !registration.isCurrent(in: asked):
                // It was found before another took its place, which therefore is there now, or before it got another scope.
                return try registration.obtainAnew(resolver, args, into: memory)
            case .retired where place.isClosed:
                return try registration.make(resolver, args, into: memory)
            case .retired:
                place.remove(cell)
            case .wait:
                continue
            }
        }
    }

    /// Waits where another thread is making the instance, unless it is a task that asks: it waits without its thread.
    private func turn(
        of cycle: ResolutionCycle, in cell: InstanceCell, at place: borrowing Place,
        for registration: AnyResolverRegistration,
        _ asked: ObjectIdentifier?
    ) throws -> InstanceCell.Access {
        let subject = ResolutionStep.registration(registration)
        let identity = place.identity(in: cell)
        guard let pass = cycle.pass(for: registration) else {
            return try cell.enter(
                cycle, subject: subject, identity: identity, timer: place.timer,
                isWanted: { registration.isCurrent(in: asked) },
                unfinished: { registration.unfinished(in: $0, $1) })
        }
        let turn = cell.turn(
            of: cycle.node, subject: subject, identity: identity, timer: place.timer
        ) { registration.isCurrent(in: asked) }
        guard case .wait(let creation) = turn else { return turn }
        throw pass.pendingWork(.creation(creation, in: cell, of: registration, place.key))
    }

    private func create(
        _ maker: InstanceCell.Maker, in cell: InstanceCell, at place: borrowing Place,
        of registration: AnyResolverRegistration,
        _ resolver: Resolver, _ args: PassedArguments, into memory: ServiceMemory
    ) throws -> Bool {
        note(place)
        let cycle = ResolutionCycle.current
        let identity = place.identity(in: cell)
        // What an earlier creation has left in the cycle is not what is unfinished from now on.
        cycle.forget(identity)
        let isMade: Bool
        do {
            isMade = try cycle.hiding(below: rank, for: registration) {
                try registration.make(resolver, args, identity: identity, into: memory)
            }
        } catch {
            giveUp(maker, in: cell, at: place, .failed)
            throw error
        }
        if !isMade {
            giveUp(maker, in: cell, at: place, .failed)
        } else if let object = registration.pack(memory, strength) {
            if finish(maker, with: object, of: registration, in: cell, at: place) {
                cycle.tell(.kept, registration)
            }
        } else {
            giveUp(maker, in: cell, at: place, .unkeepable)
            ScopeContext.shared.tellOfSharedValue(registration)
        }
        return isMade
    }

    /// Keeps what was made, unless the cell was emptied meanwhile. From now on hits need not ask for it, if they need not.
    func finish(
        _ maker: InstanceCell.Maker, with object: AnyObject, of registration: AnyResolverRegistration,
        in cell: InstanceCell, at place: borrowing Place
    ) -> Bool {
        let slot = slot(for: registration, at: place)
        let isKept = cell.finish(
            maker, with: object, strength: strength, releaseHooks: releaseHooks(at: place),
            since: place.timer?.moment.now, in: slot
        ) { registration.isUnconditional }
        if slot != nil { checkSlots(of: registration, at: place) }
        return isKept
    }

    func releaseHooks(at place: borrowing Place) -> ReleaseHooks {
        strength == .strong ? place.releaseHooks : ReleaseHooks()
    }

    /// There is nothing to keep.
    func giveUp(
        _ maker: InstanceCell.Maker, in cell: InstanceCell, at place: borrowing Place, _ outcome: Creation.Outcome
    ) {
        cell.finish(maker, without: outcome)
        forget(place.seat.cell)
    }

    /// The instance was asked for by its own factory, or by a block that completes it.
    private func reenter(
        _ registration: AnyResolverRegistration, in cell: InstanceCell, at place: borrowing Place, _ resolver: Resolver,
        _ args: PassedArguments, into memory: ServiceMemory
    ) throws -> Bool {
        let cycle = ResolutionCycle.current
        if cycle.instance(place.identity(in: cell), of: registration, into: memory) { return true }
        // With arguments a service may resolve itself, as a tree does; the outermost instance is the one that is kept. Where
        // one is kept for each argument, it is the same argument.
        if !args.isNone, !place.isBranch { return try registration.make(resolver, args, into: memory) }
        throw cycle.makingPath.circle(closedBy: .registration(registration))
    }

    /// Puts what is kept into `memory`. From now on hits need not ask for it, if they need not.
    func handOut(
        _ object: AnyObject, of registration: AnyResolverRegistration, keptAt place: borrowing Place,
        into memory: ServiceMemory
    ) -> Bool {
        if let slot = slot(for: registration, at: place) {
            place.seat.cell.publish(object, of: object, in: slot, beside: nil) { registration.isUnconditional }
            checkSlots(of: registration, at: place)
        }
        return registration.unpack(object, into: memory)
    }

    /// Where hits of a registration may be answered without asking for what is kept at a place, if they may.
    private func slot(for registration: AnyResolverRegistration, at place: borrowing Place) -> FastSlot? {
        guard let slot = place.seat.slot, registration.isUnconditional, registration.isServed(from: self),
            !registration.isReplaced
        else { return nil }
        return slot
    }

    /// After a slot was filled, because the answer may have changed when nothing was published yet.
    private func checkSlots(of registration: AnyResolverRegistration, at place: borrowing Place) {
        if !registration.isServed(from: self) { place.seat.cell.invalidateFastSlots() }
    }

    /// The instance kept for `registration`; never makes one, never waits.
    func existing(
        of registration: AnyResolverRegistration, _ resolver: Resolver, keeper: Unretained<RegistrationOwner>? = nil
    ) -> AnyObject? { kept(for: registration, resolver: resolver, args: .none, keeper: keeper, isUse: false) }

    /// The instance kept for a call. A use restarts the time to live.
    func kept(
        for registration: AnyResolverRegistration, resolver: Resolver, args: PassedArguments,
        keeper: Unretained<RegistrationOwner>? = nil, isUse: Bool
    ) -> AnyObject? {
        do {
            let place = try Place(registration, resolver, args, keeper: keeper, in: self)
            return place.cell.kept(place.timer, isUse: isUse)
        } catch {
            return nil
        }
    }

    // MARK: Letting go

    /// The scope is gone: lets go of everything, for good.
    func end() {
        let cells = withLock { state in
            state.hasEnded = true
            return state.filled.all
        }
        InstanceCell.empty(cells)
    }

    var hasEnded: Bool { withLock { $0.hasEnded } }

    /// Lets go of everything; but in a test, of what its own resolvers keep, and of nothing else.
    func reset() {
        InstanceCell.empty(cellsToReset)
        removeDead(from: \.definitions)
    }

    /// Where something is kept that a reset lets go of.
    var cellsToReset: [InstanceCell] {
        guard let test = World.current?.test else { return withLock { $0.filled.all } }
        return Resolver.cells(in: test).filter { $0.store === self }
    }

    /// Lets go of what is kept for one registration alone.
    func empty(_ registration: AnyResolverRegistration) {
        InstanceCell.empty(registration.cellsAtHome(includingShared: false).filter { $0.store === self })
    }

    /// Drops a cell that is empty, unless it has been filled again.
    func forget(_ cell: InstanceCell) {
        withLock { state in
            guard let index = cell.listing, cell.isIdle else { return }
            cell.listing = nil
            // The caller holds the cell.
            _ = state.filled.remove(at: index)
        }
    }

    /// Called before a factory runs, so that a reset meanwhile finds the cell and makes it forget the creation.
    func note(_ place: borrowing Place) {
        let cell = place.seat.cell
        guard place.isReachedByResets else { return }
        withLock { state in
            if cell.listing != nil { return }
            cell.listing = state.filled.insert(cell)
        }
    }

    // MARK: Cells

    /// The cell that a registration gets when it has none yet.
    func makeCell(for registration: AnyResolverRegistration, isIsolated: Bool) -> InstanceCell {
        guard identity == .definition, !isIsolated else { return InstanceCell(of: self, isIsolated: isIsolated) }
        let definition = SingletonKey(registration)
        let (cell, isFull) = withLock { state in
            if let cell = state.definitions[definition] as? InstanceCell { return (cell, false) }
            let cell = InstanceCell(of: self, isShared: true)
            state.definitions.insert(cell, for: definition)
            return (cell, state.definitions.isFull)
        }
        if isFull { removeDead(from: \.definitions) }
        return cell
    }

    /// The cell of a registration's definition, if it has one.
    func sharedCell(for registration: AnyResolverRegistration) -> InstanceCell? {
        guard identity == .definition else { return nil }
        return withLock { $0.definitions[SingletonKey(registration)] as? InstanceCell }
    }
}
