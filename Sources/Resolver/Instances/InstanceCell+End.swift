// How a cell releases its instance.

extension InstanceCell {
    enum End {
        case reset
        /// The branch was removed from its cell, or the scope or store has ended. No instance is created in the cell any more.
        case retired
    }

    /// The contents that were moved out of a cell.
    struct Invalidated {
        var kept = CachedInstance()
        var credits = FastSlots.Invalidated()

        /// Releases the instance, after its hooks. Called outside every lock, because the hooks and `deinit` are the user's code.
        mutating func release() {
            kept.runHooks(.released)
            releaseReferences()
        }

        /// Releases the instance as `release` does, and waits for its hooks.
        nonisolated(nonsending) mutating func releaseWaiting() async {
            await kept.runHooksAndWait(.released)
            releaseReferences()
        }

        private mutating func releaseReferences() {
            credits.release()
            kept.release()
        }
    }

    /// Releases the instance, and forgets a running creation, whose result is then not kept.
    ///
    /// When this returns, the cell holds no reference; the instance lives only if another reference holds it.
    func empty() {
        var old = Invalidated()
        withLock { $0.invalidate(into: &old) }
        old.release()
    }

    func isOver(at moment: Moment) -> Bool { withLock { $0.kept.isOver(at: moment) } }

    /// Releases the instance if its time to live is over.
    func emptyIfOver(_ timer: ExpiryTimer) {
        let moment = timer.moment
        var old = Invalidated()
        withLock { if $0.kept.isOver(at: moment) { $0.invalidate(into: &old) } }
        old.release()
    }

    /// Releases the instances of `cells` and their branches, the youngest first. After a reset, those that were created meanwhile stay.
    static func empty(_ cells: [InstanceCell], _ end: End = .reset) {
        if cells.isEmpty { return }
        let (endings, parents) = youngestFirst(cells, end)
        for ending in endings {
            var old = ending.takeInstance()
            old.release()
        }
        forget(cells, parents)
    }

    /// Releases the instances as `empty` does, and waits for the hooks of each one.
    nonisolated(nonsending) static func emptyAndWait(_ cells: [InstanceCell]) async {
        let (endings, parents) = youngestFirst(cells, .reset)
        for ending in endings {
            var old = ending.takeInstance()
            await old.releaseWaiting()
        }
        forget(cells, parents)
    }

    /// Removes cells that were emptied from lists and, if they are branches, from their parents.
    private static func forget(_ cells: [InstanceCell], _ parents: [InstanceCell]) {
        for parent in parents { parent.prune() }
        for cell in cells { cell.store?.forget(cell) }
    }

    /// Forgets the creations that are running, whose instances would be younger than all others. A branch stays until it is empty, so a
    /// reset by a hook, or by another thread, still finds it.
    ///
    /// - Returns: the cells that are not idle, with their branches, and the cells that have branches.
    private static func youngestFirst(
        _ cells: [InstanceCell], _ end: End
    ) -> (endings: [Ending], parents: [InstanceCell]) {
        var all: [Ending] = []
        var parents: [InstanceCell] = []
        all.reserveCapacity(cells.count)
        for cell in cells {
            let (isIdle, ending, branches) = cell.withLock {
                ($0.isIdle, Ending(&$0, of: cell, end), $0.branches?.cells ?? [])
            }
            if isIdle { continue }
            all.append(ending)
            if !branches.isEmpty { parents.append(cell) }
            for branch in branches { all.append(branch.withLock { Ending(&$0, of: branch, end) }) }
        }
        all.sortDescending { $0.order }
        return (all, parents)
    }

    private struct Ending {
        /// The order of the kept instance; 0 for none.
        let order: UInt64
        private let cell: InstanceCell
        private let end: End

        init(_ state: inout State, of cell: InstanceCell, _ end: End) {
            order = state.kept.order
            (self.cell, self.end) = (cell, end)
            state.forgetCreation()
        }

        /// Moves the instance out of the cell. A reset leaves one that was created meanwhile, or is being created.
        func takeInstance() -> Invalidated {
            var old = Invalidated()
            cell.withLock { state in
                if end == .retired || state.running == nil && state.kept.order == order {
                    state.invalidate(cell.isBranch ? .retired : end, into: &old)
                }
            }
            return old
        }
    }

    // MARK: The end of a scope of a context

    /// Retires the cells and their branches, cancels their creations, and moves the instances out.
    ///
    /// From now on no instance is handed out or created in them. Thus no code gets an instance that is about to be released, and no
    /// hook waits for a creation task.
    ///
    /// - Parameters:
    ///   - isElsewhere: whether the cells are those of other scopes.
    ///   - all: the instances that were moved out before. Those of the cells are added, and the youngest is last. The caller runs the
    ///     hooks of each one and releases it.
    static func close(
        _ cells: [InstanceCell], isElsewhere: Bool = false, into all: inout [CellDirectory.Removed]
    ) {
        if !cells.isEmpty {
            var cancelled: [Creation] = []
            for cell in cells { cell.close(isElsewhere, &all, &cancelled) }
            for creation in cancelled { creation.cancel() }
        }
        all.sort { Int(truncatingIfNeeded: $0[$1].instance.order) }
    }

    private func close(_ isElsewhere: Bool, _ all: inout [CellDirectory.Removed], _ creations: inout [Creation]) {
        var kept = CachedInstance(), branches: Branches?
        let (cancelled, credits) = withLock { state in
            swap(&state.kept, &kept)
            swap(&state.branches, &branches)
            return (state.retire(), state.slots.invalidate())
        }
        // The credits are released outside the lock, although no `deinit` runs here: `kept` holds the instance.
        credits.release()
        creations += cancelled
        if !kept.isNothing {
            all.append(CellDirectory.Removed(instance: kept, registration: nil, isElsewhere: isElsewhere))
        }
        if branches == nil { return }
        for branch in branches?.cells ?? [] { branch.close(isElsewhere, &all, &creations) }
        // An argument may hold an earlier scope, and that scope another argument, in a long chain.
        let cycle = ResolutionCycle.current
        guard cycle.hasLittleStack else { return cycle.inUserCode { branches = nil } }
        var last = [branches.take()].compactMap { $0 }
        cycle.releaseInTurn(&last)
    }
}
