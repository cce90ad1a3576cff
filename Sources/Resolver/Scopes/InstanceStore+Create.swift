// How a call creates an instance, and where it is kept.

extension InstanceStore {
    /// Creates an instance that a cell keeps.
    func create(
        _ maker: InstanceCell.Maker, in cell: InstanceCell, at location: borrowing CachedLocation,
        of registration: AnyResolverRegistration, _ resolver: Resolver, _ args: PassedArguments,
        into memory: ServiceMemory
    ) throws -> Bool {
        list(location)
        return try makeAndKeep(
            registration, resolver, args, identity: location.identity(in: cell), into: memory,
            keep: { finish(maker, with: $0, of: registration, in: cell, at: location) },
            giveUp: { giveUp(maker, in: cell, at: location, $0) })
    }

    /// Creates an instance that a directory keeps without a cell.
    func create(
        _ maker: CellDirectory.InlineMaker, of registration: AnyResolverRegistration, _ resolver: Resolver,
        _ args: PassedArguments, identity: UInt64, into memory: ServiceMemory
    ) throws -> Bool {
        try makeAndKeep(
            registration, resolver, args, identity: identity, into: memory,
            keep: { object in maker.directory.use { $0.finish(maker, with: object) } },
            giveUp: { outcome in maker.directory.use { $0.finish(maker, without: outcome) } })
    }

    @inline(__always)
    private func makeAndKeep(
        _ registration: AnyResolverRegistration, _ resolver: Resolver, _ args: PassedArguments, identity: UInt64,
        into memory: ServiceMemory, keep: (AnyObject) -> Bool, giveUp: (Creation.Outcome) -> Void
    ) throws -> Bool {
        let cycle = ResolutionCycle.current
        // An object that an earlier creation left in the resolution cycle is not the unfinished object of this one.
        cycle.forget(identity)
        let isMade: Bool
        do {
            isMade = try cycle.hiding(below: rank, for: registration) {
                try registration.make(resolver, args, identity: identity, into: memory)
            }
        } catch {
            giveUp(.failed)
            throw error
        }
        if !isMade {
            giveUp(.failed)
        } else if let object = registration.pack(memory, strength) {
            if keep(object) { cycle.report(.kept, registration) }
        } else {
            giveUp(.unkeepable)
            ScopeContext.shared.reportSharedValue(registration)
        }
        return isMade
    }

    /// Keeps the instance, unless the cell was emptied meanwhile, and publishes it to the fast path, if the registration allows it.
    func finish(
        _ maker: InstanceCell.Maker, with object: AnyObject, of registration: AnyResolverRegistration,
        in cell: InstanceCell, at location: borrowing CachedLocation
    ) -> Bool {
        let slot = slot(for: registration, at: location)
        let isKept = cell.finish(
            maker, with: object, strength: strength, releaseHooks: releaseHooks(at: location),
            since: location.timer?.moment.now, in: slot
        ) { registration.isUnconditional }
        if slot != nil { checkSlots(of: registration, at: location) }
        return isKept
    }

    func releaseHooks(at location: borrowing CachedLocation) -> ReleaseHooks {
        strength == .strong ? location.releaseHooks : ReleaseHooks()
    }

    /// Ends a creation without an instance to keep.
    func giveUp(
        _ maker: InstanceCell.Maker, in cell: InstanceCell, at location: borrowing CachedLocation,
        _ outcome: Creation.Outcome
    ) {
        cell.finish(maker, without: outcome)
        forget(location.rootCell)
    }
}
