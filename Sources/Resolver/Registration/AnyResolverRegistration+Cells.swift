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
