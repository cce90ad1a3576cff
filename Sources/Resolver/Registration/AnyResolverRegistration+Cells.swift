// The cells that keep a registration's instances, and the slots that serve hits. Each cell of a registration is one of these:
//
// * the registration's own cell, which the other registrations of its definition may share;
// * a cell in the directory of the registration's resolver, for a second store, as after `.scope(_:)`;
// * a cell in the directory of an isolating resolver through which the service was resolved;
// * a cell in the directory of a scope of a context.

extension AnyResolverRegistration {
    /// Returns the cell of this registration in `store`.
    ///
    /// - Parameter instanceOwner: the isolating resolver or the scope that keeps the instance, if any.
    @inline(__always)
    final func cellLocation(in store: InstanceStore, ownedBy instanceOwner: Unretained<RegistrationOwner>?)
        -> CellDirectory.Location
    {
        if let instanceOwner, !instanceOwner.refers(to: owner) {
            return instanceOwner.use { cellLocation(in: store, of: $0.makeCells(), $0) }
        }
        return ownCellLocation(in: store)
    }

    /// Returns the cell in the directory of another owner.
    @inline(__always)
    private final func cellLocation(
        in store: InstanceStore, of cells: CellDirectory, _ instanceOwner: RegistrationOwner
    ) -> CellDirectory.Location {
        if let known = cells.location(for: self, in: store, isForeign: true) { return known }
        _ = historyWord.add(Self.keptElsewhere)
        note(instanceOwner, cells)
        return cells.add(store.makeCell(for: self, isIsolated: true), for: self, in: store, isForeign: true)
    }

    /// Begins to create an instance that the directory of another owner is to keep without a cell.
    ///
    /// - Returns: nil if the instance needs a cell, or there is one.
    final func beginInline(
        in store: InstanceStore, ownedBy instanceOwner: RegistrationOwner, _ cycle: ResolutionCycle,
        askedBy asked: ObjectIdentifier?
    ) -> CellDirectory.InlineClaim? {
        // A reset has forgotten the creation that this thread is running, or a task has awaited the instance.
        guard !isTargetOfPass, !cycle.isMaking(self) else { return nil }
        // The owner, which the caller holds, keeps its directory.
        return instanceOwner.isolatedCells.map(Unretained.init)?.use { cells in
            note(instanceOwner, cells)
            return cells.begin(self, in: store, by: Unretained(cycle.node)) {
                isCurrent(in: asked, noting: Self.keptElsewhere)
            }
        }
    }

    /// Notes that an isolating resolver or a scope is to keep an instance in its cells.
    ///
    /// Of the many scopes that begin after an app has registered its services, only the first are noted: the others are found in the list
    /// of open scopes. That list is long, so the end of a scope, or of a resolver that few scopes have used, does not read it.
    @inline(__always)
    private final func note(_ instanceOwner: RegistrationOwner, _ cells: CellDirectory) {
        let isLater = instanceOwner.isScope && !owner.isScope && number < cells.number
        if isLater, historyWord.load() & Self.keptByLaterScope != 0 { return }
        if !owner.add(instanceOwner: instanceOwner, cells, isLater: isLater) { historyWord.set(Self.keptByLaterScope) }
    }

    @inline(never)
    private final func ownCellLocation(in store: InstanceStore) -> CellDirectory.Location {
        let own = ownCell ?? cell.setIfEmpty(store.makeCell(for: self, isIsolated: owner.isIsolating))
        if own.store === store {
            // The scope may have ended after this registration was found. The end of the scope releases what the cell keeps.
            if owner.hasScopeEnded { own.retire() }
            return CellDirectory.Location(cell: own, slot: slot)
        }
        let cells = owner.makeCells()
        if let known = cells.location(for: self, in: store, isForeign: false) { return known }
        return cells.add(
            store.makeCell(for: self, isIsolated: owner.isIsolating), for: self, in: store, isForeign: false)
    }

    /// The cell stored in the registration itself.
    ///
    /// The word is set once and holds a reference, so the cell lives as long as the registration. An alias has the cell of
    /// its source.
    final var ownCell: InstanceCell? { cell.current?.object }

    /// Whether the current scope may keep an instance in `store`. A scope of the user that has no store may pass its services on to any
    /// other scope.
    private final func mayKeep(in store: InstanceStore?) -> Bool {
        let scope = owner.effectiveScope(of: plan.scope)
        if let cache = scope as? ResolverScopeCache { return cache.store === store }
        return Lifetime(of: scope).isCustom
    }

    /// Whether `scope` keeps the instance in the cell.
    final func isKept(by scope: any ResolverScopeType, in cell: InstanceCell) -> Bool {
        guard case .cached(let store)? = (owner.effectiveScope(of: scope) as? ResolverScope)?.described else {
            return false
        }
        return store.object === cell.store
    }

    /// Whether the registration has a cell. If it has none, no call has used it yet, and its modifiers do not change the instance of its
    /// definition.
    final var hasCell: Bool { ownCell != nil }

    /// Adopts the cell that the definition shares, if this registration has no cell yet.
    private final func adoptDefinition() {
        guard ownCell == nil, !owner.isIsolating,
            let cache = owner.effectiveScope(of: plan.scope) as? ResolverScopeCache,
            let shared = cache.store.sharedCell(for: self)
        else { return }
        _ = cell.setIfEmpty(shared)
    }

    /// Returns the cells in which the registration's own resolver keeps its instances.
    ///
    /// - Parameter includingShared: whether to include the cell that the definition shares, if the current scope has one.
    final func cellsOfOwnResolver(includingShared: Bool) -> [InstanceCell] {
        var cells: [InstanceCell] = []
        addCellsOfOwnResolver(includingShared: includingShared, to: &cells)
        return cells
    }

    /// Returns the cells in which `resolver`, or the isolating resolver between it and this registration, keeps the instances.
    final func cells(in resolver: Resolver) -> [InstanceCell] {
        guard let isolating = resolver.isolatingOwner(of: owner), !isolating.refers(to: owner) else {
            return cellsOfOwnResolver(includingShared: true)
        }
        return isolating.use { $0.cells?.cells(of: self) ?? [] }
    }

    private final func addCellsOfOwnResolver(includingShared: Bool, to cells: inout [InstanceCell]) {
        if includingShared { adoptDefinition() }
        // The registration's own cell is created first. Without it there are no others.
        guard !isAlias, let own = ownCell else { return }
        let isMeant = { [self] (cell: InstanceCell) in !cell.isShared || includingShared && mayKeep(in: cell.store) }
        if isMeant(own) { cells.append(own) }
        if let others = owner.cells { cells += others.cells(of: self).filter(isMeant) }
    }

    /// Makes calls that have found the registration start over, and adds the cells of its own resolver, and those of open scopes.
    final func unlink(_ cells: inout [InstanceCell], elsewhere: inout [InstanceCell]) {
        historyWord.set(Self.unlinked)
        addCellsOfOwnResolver(includingShared: false, to: &cells)
        addCellsOfScopes(to: &elsewhere)
    }

    private final func addCellsOfScopes(to cells: inout [InstanceCell]) {
        for scope in keepingScopes { if let kept = scope.cells?.cells(of: self) { cells += kept } }
    }

    /// The open scopes that may keep an instance of this registration.
    final var keepingScopes: [RegistrationOwner] {
        guard isKeptElsewhere else { return [] }
        let isListed = historyWord.load() & Self.keptByLaterScope != 0
        return isListed ? ScopeContext.shared.owners(keeping: self) : owner.keepingScopes
    }

    /// Adds the cells that keep an instance of this registration: in its own resolver, open scopes and, if `isEverywhere`, isolating
    /// resolvers.
    final func addCells(includingShared: Bool, isEverywhere: Bool = true, to cells: inout [InstanceCell]) {
        guard includingShared || mayHaveInstances else { return }
        addCellsOfOwnResolver(includingShared: includingShared, to: &cells)
        guard !isAlias, mayHaveInstances else { return }
        if isEverywhere, isKeptElsewhere {
            for directory in owner.foreignDirectories { cells += directory.cells(of: self) }
        }
        addCellsOfScopes(to: &cells)
    }

    /// Counts the time to live of kept instances from their next use, after the time was changed.
    final func restartTimes() {
        invalidateFastSlots()
        var cells: [InstanceCell] = []
        addCells(includingShared: hasCell, to: &cells)
        for cell in cells.flatMap(\.withBranches) { cell.restart() }
    }

    // MARK: The slot

    /// Empties the slots of the registration's cell. The next hit asks the cell again.
    final func invalidateFastSlots() { ownCell?.takeSlots().release() }

    /// Shares the cell of `source` with this alias, and publishes `form`, the form that the alias returns, in the alias's
    /// slot.
    ///
    /// `source` keeps `instance`. The slot is filled only while the slot of `source` serves hits.
    final func share(_ form: AnyObject, of instance: AnyObject, keptFor source: AnyResolverRegistration) {
        guard isUnconditional, let shared = source.ownCell, cell.setIfEmpty(shared) === shared else { return }
        // Checked under the lock: a scope may have registered the service in the meantime, or another thread replaced this alias.
        shared.publish(form, of: instance, in: slot, beside: source.slot) { isUnconditional && !isReplaced }
    }
}

extension AnyResolverRegistration {
    /// Returns the instance that a store keeps for a call, if it can be found without the location of the instance.
    ///
    /// - Parameter instanceOwner: the isolating resolver or the scope that keeps the instance, if any.
    @inline(__always)
    final func takeKept(
        in store: InstanceStore, ownedBy instanceOwner: Unretained<RegistrationOwner>?
    ) -> AnyObject? {
        if isTargetOfPass { return nil }
        return withPlan { plan in
            if plan.isUnconditional, store.strength == .strong {
                return hit(in: store, ownedBy: instanceOwner)?.takeRetainedValue()
            }
            if instanceOwner == nil, !owner.isScope, plan.argumentKey == nil, let cell = ownCell, cell.store === store {
                guard let time = plan.timeToLive else { return cell.kept }
                // The clock may be code of the user. If little stack is left, the call ends with an error: see `CachedLocation`.
                if ResolutionCycle.current.hasLittleStack { return nil }
                return cell.kept(ExpiryTimer(time, of: owner), isUse: true)
            }
            return nil
        }
    }

    /// Whether a pass for this registration is running. The instance that the pass's task has awaited takes precedence over a kept
    /// one.
    @inline(__always)
    final var isTargetOfPass: Bool { TaskResolutionCycle.areThereAny && ResolutionCycle.current.pass(for: self) != nil }

    /// Returns the instance from its slot, without asking the store.
    @inline(__always)
    private final func hit(
        in store: InstanceStore, ownedBy instanceOwner: Unretained<RegistrationOwner>?
    ) -> TakenReference? {
        if let instanceOwner, !instanceOwner.refers(to: owner) {
            return instanceOwner.use { $0.isolatedRow?.search(number, store.number)?.slot.take() }
        }
        return ownCell?.store === store ? slot.take() : nil
    }

    // MARK: Release when the registration is replaced, its scope changes or its resolver ends

    /// Marks the registration as ended, after its resolver has released its instances.
    final func end() {
        // Set first, so that a creation that ends now removes its cell, if the cell is still in use here.
        if mayHaveInstances { historyWord.set(Self.ended) }
        for scope in keepingScopes { scope.cells?.remove(self) }
    }

    /// Retires registrations that were replaced or removed, and returns the release of their instances, which the caller
    /// runs.
    ///
    /// The registrations stay in memory until their resolver ends, because another thread may have just found one.
    ///
    /// - Parameters:
    ///   - includingShared: whether to include cells of definitions, which other resolvers share.
    ///   - more: further cells to empty together with these.
    static func retire(
        _ registrations: [AnyResolverRegistration], includingShared: Bool, with more: [InstanceCell] = []
    ) -> InstanceRelease {
        for registration in registrations { registration.historyWord.set(unlinked) }
        var cells: [InstanceCell] = []
        for registration in registrations { registration.invalidate(includingShared: includingShared, to: &cells) }
        return InstanceRelease(cells: cells + more, registrations: registrations)
    }

    /// Releases the kept instances. Most registrations have none when they are changed.
    final func releaseInstances(includingShared: Bool) {
        // Orders this call with `isCurrent`: a thread that has just created a cell sees the change, or its cell is found here.
        _ = historyWord.add(0)
        var cells: [InstanceCell] = []
        invalidate(includingShared: includingShared, to: &cells)
        InstanceCell.empty(cells)
    }

    /// Adds the cells that keep an instance of this registration, and empties their slots.
    private final func invalidate(includingShared: Bool, to cells: inout [InstanceCell]) {
        addCells(includingShared: includingShared, to: &cells)
        // The slots of aliases are emptied too, because the same cell serves them. An alias may be the source of others.
        invalidateFastSlots()
    }

    /// Whether an instance may be kept: the registration has a cell, or its scope may keep instances without one.
    final var mayBeKept: Bool {
        if mayHaveInstances { return true }
        return withPlan { plan in
            switch plan.lifetime {
            case .custom, .container: true
            case .transient, .perCycle, .cached, .perContext, .alias: false
            }
        }
    }

    /// Removes the registration's cells if it is in no resolver any more. Called after the release of its instances, and at the
    /// end of each creation whose cell may have been left for that end.
    final func forgetCellsIfGone() { if isGone, mayHaveInstances { forgetCells() } }

    /// Removes the cells that are not in use. See `CellDirectory.remove`.
    final func forgetCells() {
        owner.cells?.remove(self)
        if isKeptElsewhere { for directory in owner.foreignDirectories { directory.remove(self) } }
        for scope in keepingScopes { scope.cells?.remove(self) }
    }
}
