// Where its instances are kept, and who answers hits for them.

extension AnyResolverRegistration {
    /// Where `store` keeps the instance of this registration; `keeper` is the isolating resolver, or the scope, that it is
    /// made for, if any.
    @inline(__always)
    final func seat(in store: InstanceStore, keeper: Unretained<RegistrationOwner>?) -> CellDirectory.Seat {
        if let keeper, !keeper.refers(to: owner) { return keeper.use { seat(in: store, of: $0.makeCells(), $0) } }
        return seatAtHome(in: store)
    }

    /// Its place in the directory of another owner.
    @inline(__always)
    private final func seat(
        in store: InstanceStore, of cells: CellDirectory, _ keeper: RegistrationOwner
    ) -> CellDirectory.Seat {
        if let known = cells.seat(for: self, in: store, isForeign: true) { return known }
        _ = historyWord.add(Self.keptElsewhere)
        // Those of scopes that are open are known.
        if !keeper.isScope { owner.addKeeper(cells) }
        return cells.add(store.makeCell(for: self, isIsolated: true), for: self, in: store, isForeign: true)
    }

    @inline(never)
    private final func seatAtHome(in store: InstanceStore) -> CellDirectory.Seat {
        let own = ownCell ?? cell.setIfEmpty(store.makeCell(for: self, isIsolated: owner.isIsolating))
        if own.store === store {
            // The scope may have ended after this registration was found.
            if owner.isScope, owner.makeCells().isClosed { own.empty(.scopeEnded) }
            return CellDirectory.Seat(cell: own, slot: slot)
        }
        let cells = owner.makeCells()
        if let known = cells.seat(for: self, in: store, isForeign: false) { return known }
        return cells.add(
            store.makeCell(for: self, isIsolated: owner.isIsolating), for: self, in: store, isForeign: false)
    }

    /// The cell that stands in the registration. The word is set once and holds a reference, so the object lives as long
    /// as the registration. An alias has the cell of what it stands for.
    final var ownCell: InstanceCell? {
        cell.current?.object
    }

    /// Takes part in what its definition has, if it has not been asked for yet.
    private final func adoptDefinition() {
        guard ownCell == nil, !owner.isIsolating, let cache = plan.scope as? ResolverScopeCache,
            let shared = cache.store.sharedCell(for: self)
        else { return }
        _ = cell.setIfEmpty(shared)
    }

    /// The cells in which its own resolver keeps something for it.
    ///
    /// - Parameter includingShared: also that of its definition, if it still has the scope of one.
    final func cellsAtHome(includingShared: Bool) -> [InstanceCell] {
        var cells: [InstanceCell] = []
        addCellsAtHome(includingShared: includingShared, to: &cells)
        return cells
    }

    private final func addCellsAtHome(includingShared: Bool, to cells: inout [InstanceCell]) {
        if includingShared { adoptDefinition() }
        // The own cell comes first; without one, there are no others.
        guard !isAlias, let own = ownCell else { return }
        let isMeant = { [self] (cell: InstanceCell) in
            !cell.isShared || includingShared && cell.store === (plan.scope as? ResolverScopeCache)?.store
        }
        if isMeant(own) { cells.append(own) }
        if let others = owner.cells { cells += others.cells(of: self).filter(isMeant) }
    }

    /// Adds the cells in which its own resolver keeps something for it, or a scope of a context.
    final func addCells(includingShared: Bool, to cells: inout [InstanceCell]) {
        guard includingShared || hasCells else { return }
        addCellsAtHome(includingShared: includingShared, to: &cells)
        addCellsOfScopes(to: &cells)
    }

    private final func addCellsOfScopes(to cells: inout [InstanceCell]) {
        guard isKeptElsewhere else { return }
        for keeper in ScopeContext.shared.keepers(of: self) { cells += keeper.cells(of: self) }
    }

    /// Adds all cells in which something is kept for it: its own resolver, isolating resolvers, and scopes of contexts.
    final func addAllCells(includingShared: Bool, to cells: inout [InstanceCell]) {
        guard includingShared || hasCells else { return }
        addCellsAtHome(includingShared: includingShared, to: &cells)
        guard !isAlias, hasCells else { return }
        for keeper in owner.keepers { cells += keeper.cells(of: self) }
        addCellsOfScopes(to: &cells)
    }

    /// The time to live of its instances was changed: it is counted from their next use.
    final func restartTimes() {
        invalidateFastSlots()
        var cells: [InstanceCell] = []
        addAllCells(includingShared: true, to: &cells)
        for cell in cells.flatMap(\.withBranches) { cell.restart() }
    }

    // MARK: The slot

    /// Empties the slots of its cell. The next hit asks the cell again.
    final func invalidateFastSlots() {
        ownCell?.invalidateFastSlots()
    }

    /// Empties the slot of this registration alone, where the cell belongs to another one.
    final func invalidateSlot() {
        ownCell?.invalidate(slot)
    }

    /// For an alias: shares the cell of `source`, which keeps `instance`, and its hits with `face`, the form in which the
    /// alias hands it out. Only while hits of `source` are answered from its own slot.
    final func share(_ face: AnyObject, of instance: AnyObject, keptFor source: AnyResolverRegistration) {
        guard isUnconditional, let shared = source.ownCell, cell.setIfEmpty(shared) === shared, !isReplaced else {
            return
        }
        // Asked again, as a scope may have registered the service meanwhile.
        shared.publish(face, of: instance, in: slot, beside: source.slot) { isUnconditional }
    }
}

extension AnyResolverRegistration {
    /// What the store of a built-in scope keeps for a call: the scope, if it were asked, would answer the same.
    ///
    /// - Parameter keeper: the isolating resolver that keeps what is made for this call, if one does.
    final func look(
        in store: InstanceStore, _ plan: RegistrationPlan, _ resolver: Resolver, _ args: PassedArguments,
        keeper: Unretained<RegistrationOwner>?
    ) -> AnyObject? {
        if isAwaited { return nil }
        if plan.isUnconditional, store.strength == .strong { return hit(in: store, keeper: keeper) }
        let isOwn = (keeper?.refers(to: owner) ?? true) && !owner.isScope
        let isOfAllArguments = plan.isUnconditional || plan.settings.argumentKey == nil
        if isOwn, isOfAllArguments, let cell = ownCell, cell.store === store {
            guard !plan.isUnconditional, let time = plan.timeToLive else { return cell.kept }
            return cell.kept(ExpiryTimer(time, keeper: owner), isUse: true)
        }
        return store.kept(for: self, resolver: resolver, args: args, keeper: keeper, isUse: true)
    }

    /// What `scope`, one of a context, keeps, if hits are answered.
    final func look(in context: PerContextScope, _ scope: ScopeHandle, _ plan: RegistrationPlan) -> AnyObject? {
        guard plan.isUnconditional, !isAwaited else { return nil }
        if scope.owner === owner { return hit(in: context.store, keeper: nil) }
        return scope.row.search(number, context.storeNumber)?.slot.take()?.takeRetainedValue()
    }

    /// Whether a pass for this registration is running: what its task has waited for comes before what is kept by now.
    @inline(__always)
    final var isAwaited: Bool { TaskResolutionCycle.areThereAny && ResolutionCycle.current.pass(for: self) != nil }

    /// What `store` keeps, if hits are answered without asking it.
    @inline(__always)
    private final func hit(in store: InstanceStore, keeper: Unretained<RegistrationOwner>?) -> AnyObject? {
        if let keeper, !keeper.refers(to: owner) {
            return keeper.use { $0.isolatedRow?.search(number, store.number)?.slot.take()?.takeRetainedValue() }
        }
        return ownCell?.store === store ? slot.take()?.takeRetainedValue() : nil
    }
}

// What becomes of its instances when another takes its place, its scope changes or its resolver ends.

extension AnyResolverRegistration {
    /// Its resolver has ended, and has let go of what was kept.
    final func end() {
        if isKeptElsewhere { for keeper in ScopeContext.shared.keepers(of: self) { keeper.remove(self) } }
        if hasCells { _ = historyWord.add(Self.ended) }
    }

    /// Others took their places, or none: their instances are released, the youngest first. The objects themselves
    /// stay until their resolver ends, because threads that found them a moment ago may still stand in them.
    ///
    /// - Parameters:
    ///   - includingShared: also what belongs to the definitions, and so to other resolvers.
    ///   - more: further cells to be emptied with them.
    /// - Returns: the release of those instances, which the caller runs.
    static func retire(
        _ registrations: [AnyResolverRegistration], includingShared: Bool, with more: [InstanceCell] = []
    ) -> InstanceRelease {
        for registration in registrations { _ = registration.historyWord.add(unlinked) }
        var cells: [InstanceCell] = []
        for registration in registrations { registration.invalidate(includingShared: includingShared, to: &cells) }
        return InstanceRelease(cells: cells + more, registrations: registrations, isEnd: true)
    }

    /// Lets go of what is kept for it. Most have not been asked for when they are changed.
    final func releaseInstances(includingShared: Bool) {
        // Either a thread that has just made a cell sees what has changed (see `isCurrent`), or its cell is found here.
        _ = historyWord.add(0)
        var cells: [InstanceCell] = []
        invalidate(includingShared: includingShared, to: &cells)
        InstanceCell.empty(cells)
    }

    /// Adds the cells in which something is kept for it. No slot answers for these any more.
    private final func invalidate(includingShared: Bool, to cells: inout [InstanceCell]) {
        addAllCells(includingShared: includingShared, to: &cells)
        guard hasCells else { return }
        // With the slots of its aliases, which are served from the same cell.
        isAlias ? invalidateSlot() : invalidateFastSlots()
    }

    /// Whether something may be kept for it: it has a cell, or its scope may keep what is in none.
    final var mayBeKept: Bool {
        if hasCells { return true }
        return withPlan { plan in
            switch plan.lifetime {
            case .custom, .container: true
            case .transient, .perCycle, .cached, .perContext, .alias: false
            }
        }
    }

    /// Tells the scope that nothing of this registration is needed any more, unless that was in the cells, which have been
    /// emptied.
    final func tellScope(_ plan: RegistrationPlan) {
        if plan.lifetime.isCustom { return plan.scope.release(self) }
        if case .container = plan.lifetime, let cache = owner.usedCache, cache.lifetime.isCustom { cache.release(self) }
    }

    final func forgetCells() {
        owner.cells?.remove(self)
        if isKeptElsewhere {
            for keeper in owner.keepers + ScopeContext.shared.keepers(of: self) { keeper.remove(self) }
        }
    }
}

/// Instances that are to be released, and the registrations whose scopes are told afterwards.
struct InstanceRelease: Sendable {
    var cells: [InstanceCell] = []
    var registrations: [AnyResolverRegistration] = []
    /// Whether the registrations are no longer in their resolver.
    var isEnd = false

    /// Releases the instances, the youngest first. Hooks that have to be awaited run in tasks of their own.
    func run() {
        InstanceCell.empty(cells)
        finish()
    }

    /// Releases the instances, the youngest first, each when the hooks of the one before have run.
    nonisolated(nonsending) func runAndWait() async {
        await InstanceCell.emptyAndWait(cells)
        finish()
    }

    private func finish() {
        for registration in registrations {
            if isEnd, registration.hasCells { registration.forgetCells() }
            registration.tellScope(registration.plan)
        }
    }
}
