// How a call creates an instance, and where it is kept.

extension InstanceStore {
    func create(
        _ claim: InstanceCell.Claim, in cell: InstanceCell, at location: borrowing CachedLocation,
        of registration: AnyResolverRegistration, _ call: Call
    ) throws -> Bool {
        list(location)
        let hooks = releaseHooks(of: registration)
        return try makeAndKeep(
            registration, call, identity: location.identity(in: cell),
            keep: { finish(claim, with: $0, of: registration, hooks, in: cell, at: location) },
            giveUp: { giveUp(claim, in: cell, at: location, of: registration, $0) })
    }

    func create(
        _ claim: CellDirectory.InlineClaim, of registration: AnyResolverRegistration, _ call: Call, identity: UInt64
    ) throws -> Bool {
        defer { registration.forgetCellsIfGone() }
        return try makeAndKeep(
            registration, call, identity: identity,
            keep: { object in claim.directory.use { $0.finish(claim, with: object) } },
            giveUp: { outcome in claim.directory.use { $0.finish(claim, without: outcome) } })
    }

    @inline(__always)
    private func makeAndKeep(
        _ registration: AnyResolverRegistration, _ call: Call, identity: UInt64, keep: (AnyObject) -> Bool,
        giveUp: (Creation.Outcome) -> Void
    ) throws -> Bool {
        let cycle = ResolutionCycle.current
        // An object that an earlier creation left in the resolution cycle is not the unfinished object of this one.
        cycle.forget(identity)
        let isMade: Bool
        do {
            isMade = try cycle.hiding(below: rank, for: registration) {
                try registration.make(call, identity: identity)
            }
        } catch {
            giveUp(.failed)
            throw error
        }
        if !isMade {
            giveUp(.failed)
        } else if let object = registration.pack(call.memory, strength) {
            if keep(object) { cycle.report(.kept, registration) }
        } else {
            giveUp(.unkeepable)
            ScopeContext.shared.reportSharedValue(registration)
        }
        return isMade
    }

    /// Keeps the instance, unless the cell was emptied meanwhile, and publishes it to the fast path, if the registration allows it.
    func finish(
        _ claim: InstanceCell.Claim, with object: AnyObject, of registration: AnyResolverRegistration,
        _ releaseHooks: ReleaseHooks, in cell: InstanceCell, at location: borrowing CachedLocation
    ) -> Bool {
        let isKept = cell.finish(
            claim, with: object, strength: strength, releaseHooks: releaseHooks,
            since: location.timer?.moment.now, in: location.slot
        ) { registration.isServed(from: self) }
        if !isKept { leave(cell, at: location, of: registration) }
        return isKept
    }

    /// Removes the cell after a creation in it, if no call finds the cell any more. It was left there for the waiters of the creation.
    private func leave(
        _ cell: InstanceCell, at location: borrowing CachedLocation, of registration: AnyResolverRegistration
    ) {
        if cell.isRetired { location.remove(cell) }
        registration.forgetCellsIfGone()
    }

    /// Returns the hooks of an instance whose creation begins now. The call may have waited since it found the registration.
    func releaseHooks(of registration: AnyResolverRegistration) -> ReleaseHooks {
        strength == .strong ? registration.withPlan(\.releaseHooks) : ReleaseHooks()
    }

    func giveUp(
        _ claim: InstanceCell.Claim, in cell: InstanceCell, at location: borrowing CachedLocation,
        of registration: AnyResolverRegistration, _ outcome: Creation.Outcome
    ) {
        cell.finish(claim, without: outcome)
        leave(cell, at: location, of: registration)
        forget(location.rootCell)
    }

    /// Publishes a kept instance to the fast path, if the registration allows it.
    func publish(
        _ object: AnyObject, of registration: AnyResolverRegistration, keptAt location: borrowing CachedLocation
    ) {
        guard let slot = location.slot else { return }
        location.rootCell.publish(object, of: object, in: slot, beside: nil) { registration.isServed(from: self) }
    }
}

extension InstanceStore {
    /// The location of one call's instance. Never copied, because each copy would retain all that it refers to.
    struct CachedLocation: ~Copyable, Sendable {
        /// The cell of the registration. The instances of a registration that keeps one for each argument are in its branches.
        let rootCell: InstanceCell
        /// The slot that serves hits; nil if none does.
        let slot: FastSlot?
        let isAsync: Bool
        let timer: ExpiryTimer?
        /// The identity of the instance in a resolution cycle.
        private let identity: UInt64
        let key: ArgumentKey?
        /// Whether the call has arguments, and one instance is for all arguments.
        ///
        /// Such a service may resolve itself, as a tree does, also through another thread or task: the outermost instance is kept. If an
        /// instance is kept for each argument, a service that resolves itself with its own argument is a dependency cycle.
        let isForAllArguments: Bool
        /// The isolating resolver or the scope that keeps the instance, if any.
        fileprivate let owner: Unretained<RegistrationOwner>?

        init(
            _ registration: AnyResolverRegistration, _ resolver: Resolver, _ args: PassedArguments,
            ownedBy owner: Unretained<RegistrationOwner>?, in store: InstanceStore
        ) throws {
            // Hashing the arguments runs code of the user, which may change the registration.
            let key = try registration.argumentKey(args), plan = registration.currentPlan
            let timer = plan.use { $0.timeToLive.map { ExpiryTimer($0, of: owner?.object ?? registration.owner) } }
            // The clock may be code of the user, which resolves the service again.
            if timer != nil { try ResolutionCycle.current.requireStack(for: registration) }
            (self.key, self.timer, self.owner) = (key, timer, owner)
            isForAllArguments = key == nil && !args.isNone
            isAsync = plan.use(\.isAsync)
            identity = registration.identity(through: resolver, ownedBy: owner)
            let location = registration.cellLocation(in: store, ownedBy: owner)
            (rootCell, slot) = (location.cell, location.slot)
        }

        func identity(in cell: InstanceCell) -> UInt64 { isBranch ? cell.number : identity }

        var isBranch: Bool { key != nil }
        /// Whether nothing is kept here any more.
        var isClosed: Bool { rootCell.isRetired }
        /// The cell of the instance. After a branch was retired and removed, another read returns a new branch.
        var cell: InstanceCell { key.map(rootCell.branch) ?? rootCell }

        func remove(_ branch: InstanceCell) { if let key { rootCell.remove(branch, for: key) } }

        /// Whether a call may still create the instance here. After the call found `registration`, it may have been replaced, or got another
        /// scope, or a modifier to keep one instance for each argument. See `AnyResolverRegistration.isCurrent`.
        func isCurrent(_ registration: AnyResolverRegistration, in asked: ObjectIdentifier?) -> Bool {
            registration.isCurrent(in: asked)
                && !(isForAllArguments && registration.withPlan { $0.argumentKey != nil })
        }
    }

    /// A location for a task, which may use it after the call has returned. It holds the registration, which keeps the plan alive.
    final class HeldLocation: Sendable {
        let location: CachedLocation
        let registration: AnyResolverRegistration
        private let owner: RegistrationOwner?

        init(_ location: consuming CachedLocation, of registration: AnyResolverRegistration) {
            owner = location.owner?.object
            self.location = location
            self.registration = registration
        }

        /// Whether the scope has ended that keeps the instance, or has registered the service for itself. Its creations may still run.
        var isOfEndedScope: Bool { owner?.hasScopeEnded ?? false || registration.owner.hasScopeEnded }
    }
}
