/// The part of a scope that keeps instances: a cell for each registration and each owner.
///
/// The cells are in registrations and directories. The store lists those that may keep an instance, for resets.
///
/// The first store that keeps an instance of a registration has its cell in the registration itself. In practice there is rarely
/// another. Further cells are in the directory of a resolver: see `AnyResolverRegistration.cellLocation`.
final class InstanceStore: Guarded<InstanceStore.State>, @unchecked Sendable {
    struct State {
        /// The cells that may keep an instance.
        fileprivate var filled = Slab<InstanceCell>()
        /// The cells of definitions. They are weak, so a definition that is no longer registered leaves nothing behind.
        fileprivate var definitions = WeakTable<SingletonKey>()
        /// Whether the scope of the store has been deallocated.
        fileprivate var hasEnded = false
    }

    /// The number of the store. Unlike an address, it is never reused.
    let number = ProcessIdentity.next()
    let strength: InstanceCell.ReferenceStrength
    /// Whether two resolvers that run one `register` call, a definition, share its instance.
    let isByDefinition: Bool

    /// Whether the store never ends, so that only resets of the process need its list. Set before other code has the scope.
    @exclusivity(unchecked) var isPermanent = false

    /// The lifetime of kept instances, compared with scopes of contexts. Scopes of a lower rank are hidden during a creation.
    let rank: Int

    init(strength: InstanceCell.ReferenceStrength, isByDefinition: Bool = false, rank: Int = .max) {
        self.strength = strength
        self.isByDefinition = isByDefinition
        self.rank = rank
        super.init(State())
    }

    // MARK: Keeping

    /// Puts the kept instance into the call's memory, or creates an instance and keeps it.
    ///
    /// - Parameters:
    ///   - owner: the isolating resolver or the scope that keeps the instance, if any.
    ///   - asked: the scope that the registration had when the call began; nil if a user's scope asks the store outside of a call. If the
    ///     registration has another scope by now, the call starts over.
    /// - Returns: whether there is a service; nil if nothing is kept here any more, because the owner has ended.
    func instance(
        of registration: AnyResolverRegistration, _ call: Call, ownedBy owner: Unretained<RegistrationOwner>?,
        askedBy asked: ObjectIdentifier?
    ) throws -> Bool? {
        let cycle = ResolutionCycle.current
        if let owner, isPermanent, strength == .strong, !owner.refers(to: registration.owner),
            registration.withPlan({ $0.needsNoCell }),
            let claim = owner.use({ registration.beginInline(in: self, ownedBy: $0, cycle, askedBy: asked) })
        {
            let identity = registration.identity(through: call.resolver, ownedBy: owner)
            return try create(claim, of: registration, call, identity: identity)
        }
        let location = try CachedLocation(registration, call.resolver, call.args, ownedBy: owner, in: self)
        if registration.isTargetOfPass, let awaited = cycle.keptResult(for: registration, in: self, location.key) {
            guard let object = try awaited.result.get() else { return cycle.nothing(of: registration) }
            return try handOut(object, of: registration, keptAt: location, into: call.memory)
        }
        // If the owner has ended, no instance is awaited: the loop below finds a retired cell.
        if location.isAsync, !location.isClosed {
            return try instanceAlreadyMade(of: registration, at: location, askedBy: asked, call)
        }
        while true {
            let cell = location.cell
            switch try turn(of: cycle, in: cell, at: location, for: registration, askedBy: asked) {
            case .take(let object):
                return try handOut(object, of: registration, keptAt: location, into: call.memory)
            case .unfinished(let object):
                return try registration.unpackKept(object, into: call.memory)
            case .create(let claim):
                // A reset has forgotten the creation that this thread is running, but the object exists.
                if cycle.isMaking(registration), cycle.hasInstance(location.identity(in: cell)) {
                    giveUp(claim, in: cell, at: location, of: registration, .failed)
                    return try reenter(registration, in: cell, at: location, call)
                }
                return try create(claim, in: cell, at: location, of: registration, call)
            case .reentered:
                return try reenter(registration, in: cell, at: location, call)
            case .uncached:
                return try registration.make(call, identity: location.identity(in: cell))
            // The owner may have ended while it was creating the instance, whose properties ask for it.
            case .retired
            where location.isClosed && cycle.instance(location.identity(in: cell), of: registration, into: call.memory):
                return true
            case .retired where !location.isCurrent(registration, in: asked):
                // The registration was replaced, or got another scope, after this call found it. A successor, if any, is there by now.
                return try registration.resolveAnew(call)
            case .retired where location.isClosed:
                return nil
            case .retired:
                location.remove(cell)
            case .wait:
                continue
            }
        }
    }

    /// Returns what the call does next. While another thread or task creates the instance, a synchronous call waits, and an asynchronous
    /// call notes pending work and throws.
    private func turn(
        of cycle: ResolutionCycle, in cell: InstanceCell, at location: borrowing CachedLocation,
        for registration: AnyResolverRegistration, askedBy asked: ObjectIdentifier?
    ) throws -> InstanceCell.Access {
        let subject = ResolutionStep.registration(registration)
        let identity = location.identity(in: cell)
        guard let pass = cycle.pass(for: registration) else {
            return try cell.enter(
                cycle, subject: subject, identity: identity, timer: location.timer,
                mayMakeApart: location.isForAllArguments,
                isWanted: { location.isCurrent(registration, in: asked) })
        }
        let turn = cell.turn(
            of: cycle.node, subject: subject, identity: identity, timer: location.timer
        ) { location.isCurrent(registration, in: asked) }
        guard case .wait(let creation) = turn else { return turn }
        let key = location.key
        throw pass.pendingWork(
            .answer(of: registration, key, in: self, askedBy: asked) {
                try await cell.awaited(creation).map {
                    .kept(.success($0), for: registration, key, in: self, askedBy: asked)
                }
            })
    }

    /// Puts the unfinished instance into the call's memory, for its own factory or a block that completes it.
    private func reenter(
        _ registration: AnyResolverRegistration, in cell: InstanceCell, at location: borrowing CachedLocation,
        _ call: Call
    ) throws -> Bool {
        let cycle = ResolutionCycle.current, identity = location.identity(in: cell)
        if cycle.instance(identity, of: registration, into: call.memory) { return true }
        if location.isForAllArguments {
            return try registration.make(call, identity: identity)
        }
        throw cycle.makingPath.dependencyCycle(closedBy: .registration(registration))
    }

    /// Puts a kept instance into `memory`, and publishes it to the fast path, if the registration allows it.
    func handOut(
        _ object: AnyObject, of registration: AnyResolverRegistration, keptAt location: borrowing CachedLocation,
        into memory: ServiceMemory
    ) throws -> Bool {
        publish(object, of: registration, keptAt: location)
        return try registration.unpackKept(object, into: memory)
    }

    /// Returns the instance kept for `registration`. Never creates one, and never waits.
    func existing<Service>(
        of registration: ResolverRegistration<Service>, _ resolver: Resolver,
        ownedBy owner: Unretained<RegistrationOwner>?
    ) -> Service? {
        guard let location = try? CachedLocation(registration, resolver, .none, ownedBy: owner, in: self) else {
            return nil
        }
        return location.cell.kept(location.timer, isUse: false).flatMap(ResolverRegistration<Service>.unpackIfAllowed)
    }

    // MARK: Releasing

    /// Releases all instances for good, because the scope is being deallocated.
    func end() {
        let cells = withLock { state in
            state.hasEnded = true
            return state.filled.all
        }
        InstanceCell.empty(cells, .retired)
    }

    var hasEnded: Bool { withLock { $0.hasEnded } }

    /// Releases all instances. In a test, releases only those that the test's resolvers keep.
    func reset() {
        if !ResolutionCycle.current.takeTold(number, in: self) { InstanceCell.empty(cellsToReset) }
        removeDead(from: \.definitions)
    }

    /// The cells that a reset empties.
    var cellsToReset: [InstanceCell] {
        guard let test = World.current?.test else { return withLock { $0.filled.all(where: \.isOfProcess) } }
        // The closure of a suite may have created resolvers for this test.
        return test.withSuites.flatMap(Resolver.cells(in:)).filter { $0.store === self }
    }

    /// Releases the instances that a registration's own resolver keeps for it, unless they belong to a definition.
    func empty(_ registration: AnyResolverRegistration) {
        if ResolutionCycle.current.takeTold(registration.number, in: self) { return }
        InstanceCell.empty(registration.cellsOfOwnResolver(includingShared: false).filter { $0.store === self })
    }

    /// Removes an empty cell from the list, unless it has been filled again.
    func forget(_ cell: InstanceCell) {
        withLock { state in
            guard let index = cell.listing, cell.isIdle else { return }
            cell.listing = nil
            // The cell is not deallocated under the lock, because the caller holds it.
            _ = state.filled.remove(at: index)
        }
    }

    /// Lists the cell before a factory runs, so that a reset or the end of the store meanwhile makes the cell forget the creation.
    ///
    /// In a store that never ends, the cells of tests and isolating resolvers are not listed: calls in them share no lock.
    func list(_ location: borrowing CachedLocation) {
        let cell = location.rootCell
        guard cell.isOfProcess || !isPermanent else { return }
        let isOver = withLock { state in
            if cell.listing == nil, !state.hasEnded { cell.listing = state.filled.insert(cell) }
            return state.hasEnded
        }
        if isOver { InstanceCell.empty([cell], .retired) }
    }

    // MARK: Cells

    /// Returns a cell for a registration that has none in this store: the shared cell of its definition, or a new one.
    func makeCell(for registration: AnyResolverRegistration, isIsolated: Bool) -> InstanceCell {
        // A resolver that has outlived its test belongs to the process.
        let test = registration.owner.test == 0 ? nil : registration.owner.world?.test
        guard isByDefinition, !isIsolated else {
            return InstanceCell(of: self, isOfProcess: !isIsolated && test == nil)
        }
        let definition = SingletonKey(registration)
        let (cell, isFull) = withLock { state in
            if let cell = state.definitions[definition] as? InstanceCell { return (cell, false) }
            let cell = InstanceCell(of: self, isShared: true, isOfProcess: test == nil)
            state.definitions.insert(cell, for: definition)
            return (cell, state.definitions.isFull)
        }
        if isFull { removeDead(from: \.definitions) }
        test?.keep(cell)
        return cell
    }

    /// Returns the cell of a registration's definition, if it has one.
    func sharedCell(for registration: AnyResolverRegistration) -> InstanceCell? {
        isByDefinition ? withLock { $0.definitions[SingletonKey(registration)] as? InstanceCell } : nil
    }
}

/// The identity of a singleton: a `register` call in the source.
struct SingletonKey: Hashable {
    let key: ServiceKey
    let location: SourceLocation
    /// The number of the test in which the resolver was created. A test does not share its singletons.
    let test: UInt64

    init(_ registration: AnyResolverRegistration) {
        key = registration.serviceKey
        location = registration.location
        test = registration.owner.test
    }
}
