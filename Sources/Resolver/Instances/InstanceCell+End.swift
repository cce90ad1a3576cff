// How a cell lets go of what it keeps.

extension InstanceCell {
    /// Why an instance is let go of.
    enum End {
        case reset
        /// Nothing is made here any more: the branch was taken off its cell.
        case retired
        /// Nothing is made here any more: the scope has ended that the cell belongs to.
        case scopeEnded
    }

    /// What was taken out of a cell.
    struct Invalidated {
        var kept = CachedInstance()
        var credits = FastSlots.Invalidated()
        var cancelled: Creation?

        /// Outside every lock: here the hooks and the `deinit` of the instance run.
        func release(_ reason: ReleaseReason = .released) {
            cancel()
            if let hooks = kept.releaseHooks, let object = kept.object { hooks.run(object, reason) }
            releaseReferences()
        }

        /// Runs the hooks outside every lock, and waits for them. Those that have to be awaited run in a task that is not cancelled with this
        /// one, the others here.
        nonisolated(nonsending) func releaseWaiting(_ reason: ReleaseReason) async {
            guard kept.releaseHooks?.hasToBeAwaited == true else { return release(reason) }
            let old = UncheckedSendable(value: self)
            await Task { await old.value.releaseAndWait(reason) }.value
        }

        private func releaseAndWait(_ reason: ReleaseReason) async {
            cancel()
            if let hooks = kept.releaseHooks, let object = kept.object {
                await hooks.runAndWait(UncheckedSendable(value: object), reason)
            }
            releaseReferences()
        }

        /// Cancels what is still being made.
        func cancel() {
            cancelled?.task?.cancel()
        }

        private func releaseReferences() {
            credits.release()
            withExtendedLifetime(kept) {}
        }
    }

    /// Lets go of the instance, and of the result of a creation that has not ended yet.
    ///
    /// When this returns, the cell's own references are gone; the instance lives on only where another reference holds it. What a scope
    /// keeps that is ending goes with that end, in its turn.
    func empty(_ end: End = .reset) {
        var old = Invalidated()
        withLock { if !$0.isRetired { $0.invalidate(end, into: &old) } }
        old.release()
    }

    /// Lets go of an instance whose time is over.
    func emptyIfOver(_ timer: ExpiryTimer) {
        let moment = timer.moment
        var old = Invalidated()
        withLock { if !$0.isRetired, $0.kept.isOver(at: moment) { $0.invalidate(into: &old) } }
        old.release()
    }

    /// Lets go of what `cells` and their branches keep, the youngest first.
    static func empty(_ cells: [InstanceCell]) {
        if cells.isEmpty { return }
        for ending in youngestFirst(cells) { ending.run() }
        for cell in cells where !cell.isIsolated { cell.store?.forget(cell) }
    }

    /// Lets go of what `cells` and their branches keep, the youngest first, and waits for the hooks.
    nonisolated(nonsending) static func emptyAndWait(_ cells: [InstanceCell]) async {
        for ending in youngestFirst(cells) { await ending.runAndWait() }
        for cell in cells where !cell.isIsolated { cell.store?.forget(cell) }
    }

    private static func youngestFirst(_ cells: [InstanceCell]) -> [Ending] {
        var all: [Ending] = []
        all.reserveCapacity(cells.count)
        for cell in cells {
            let (isIdle, order, branches) = cell.withLock { ($0.isIdle, $0.kept.order, $0.branches.take()) }
            if isIdle { continue }
            all.append(Ending(order: order, cell: cell, end: .reset))
            for branch in branches?.cells ?? [] {
                all.append(Ending(order: branch.order, cell: branch, end: .retired))
            }
        }
        all.sortDescending { $0.order }
        return all
    }

    /// A cell that is to be emptied.
    struct Ending {
        /// That of what it keeps; 0 if that is nothing.
        let order: UInt64
        let cell: InstanceCell
        let end: End

        /// Lets go of the instance: it is gone when this returns, unless another reference holds it.
        func run(_ reason: ReleaseReason = .released) {
            var old = Invalidated()
            take(into: &old)
            old.release(reason)
        }

        /// Lets go of the instance, and waits for its hooks.
        nonisolated(nonsending) func runAndWait(_ reason: ReleaseReason = .released) async {
            var old = Invalidated()
            take(into: &old)
            await old.releaseWaiting(reason)
        }

        /// A cell that a scope has closed is emptied only by the end of that scope.
        private func take(into old: inout Invalidated) {
            cell.withLock { if !$0.isRetired || end == .scopeEnded { $0.invalidate(end, into: &old) } }
        }
    }

    // MARK: The end of a scope of a context

    /// From now on nothing is handed out or made in these cells and their branches, so that no hook is given what is about to
    /// go. Creation tasks are cancelled, so that no hook waits for one.
    ///
    /// - Returns: what the caller empties, in this order.
    static func close(_ cells: some Collection<InstanceCell>, _ more: [InstanceCell]) -> [Ending] {
        if cells.isEmpty, more.isEmpty { return [] }
        var all: [Ending] = []
        all.reserveCapacity(cells.count + more.count)
        var tasks: [Creation] = []
        for cell in cells { cell.close(&all, &tasks) }
        for cell in more { cell.close(&all, &tasks) }
        for creation in tasks { creation.task?.cancel() }
        all.sortDescending { $0.order }
        return all
    }

    private func close(_ all: inout [Ending], _ tasks: inout [Creation]) {
        let (order, cancelled, credits, branches) = withLock { state in
            let cancelled = state.retire()
            return (state.kept.order, cancelled, state.slots.invalidate(), state.branches.take())
        }
        // The instance itself is still kept.
        credits.release()
        if let cancelled { tasks.append(cancelled) }
        all.append(Ending(order: order, cell: self, end: .scopeEnded))
        for branch in branches?.cells ?? [] { branch.close(&all, &tasks) }
    }
}
