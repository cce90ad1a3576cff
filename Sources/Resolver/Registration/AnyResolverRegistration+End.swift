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
