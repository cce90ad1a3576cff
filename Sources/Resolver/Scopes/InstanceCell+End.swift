// How a cell lets go of what it keeps.

extension InstanceCell {
    /// Why an instance is let go of.
    enum End {
        case reset
        /// Nothing is made here any more: the branch was taken off its cell.
        case retired
        /// The same because the scope has ended that the cell belongs to.
        case scopeEnded
    }

    /// What was taken out of a cell.
    struct Invalidated {
        let kept: CachedInstance
        let credits: FastSlots.Invalidated
        let flight: Creation?

        var isInstance: Bool { !kept.isNothing }

        /// Outside every lock: here the hooks and the `deinit` of the instance run.
        func release() {
            cancel()
            if let object = kept.object { kept.releaseHooks.run(object) }
            releaseReferences()
        }

        /// The same, and waits for the hooks. Those that have to be awaited run in a task that is not cancelled with this
        /// one, the others here.
        nonisolated(nonsending) func releaseWaiting() async {
            guard kept.releaseHooks.hasToBeAwaited else { return release() }
            let old = UncheckedSendable(value: self)
            await Task { await old.value.releaseAndWait() }.value
        }

        private func releaseAndWait() async {
            cancel()
            if let object = kept.object { await kept.releaseHooks.runAndWait(UncheckedSendable(value: object)) }
            releaseReferences()
        }

        /// Nobody needs what is still being made.
        func cancel() {
            flight?.flight?.cancel()
        }

        private func releaseReferences() {
            credits.release()
            withExtendedLifetime(kept) {}
        }
    }

    /// Lets go of the instance, and of the result of a creation that has not ended yet.
    ///
    /// When this returns, the cell's own references are gone; the instance lives on only where somebody else holds it.
    func empty(_ end: End = .reset) {
        state.withLock { $0.invalidate(end) }.release()
    }

    /// Lets go of an instance whose time is over.
    func emptyIfOver(_ timer: ExpiryTimer) {
        let moment = timer.moment
        state.withLock { $0.kept.isOver(at: moment) ? $0.invalidate() : nil }?.release()
    }

    /// Lets go of what `cells` and their branches keep, the youngest first.
    static func empty(_ cells: [InstanceCell]) {
        for (cell, end) in youngestFirst(cells) { cell.empty(end) }
        for cell in cells where !cell.isIsolated { cell.store?.forget(cell) }
    }

    /// The same, and waits for the hooks.
    nonisolated(nonsending) static func emptyAndWait(_ cells: [InstanceCell]) async {
        for (cell, end) in youngestFirst(cells) { await cell.state.withLock { $0.invalidate(end) }.releaseWaiting() }
        for cell in cells where !cell.isIsolated { cell.store?.forget(cell) }
    }

    private static func youngestFirst(_ cells: [InstanceCell]) -> [(cell: InstanceCell, end: End)] {
        var all: [(order: UInt64, cell: InstanceCell, end: End)] = []
        for cell in cells where !cell.isIdle {
            all.append((cell.order, cell, .reset))
            all += cell.takeBranches().map { ($0.order, $0, .retired) }
        }
        if all.count > 1 { all.sort { $0.order > $1.order } }
        return all.map { ($0.cell, $0.end) }
    }

    // MARK: The end of a scope of a context

    /// Takes out for good what `cells` and their branches keep, so that no hook is given what is about to go: the youngest
    /// last. Flights are cancelled, so that no hook waits for one.
    static func close(_ cells: some Collection<InstanceCell>) -> [Invalidated] {
        var all: [Invalidated] = []
        all.reserveCapacity(cells.count)
        for cell in cells {
            var branches: Branches?
            all.append(
                cell.state.withLock { state in
                    branches = state.takeBranches()
                    return state.invalidate(.scopeEnded)
                })
            if let branches { all += close(branches.cells) }
        }
        for index in all.indices { all[index].cancel() }
        if all.count > 1 { all.sort { $0.kept.order < $1.kept.order } }
        return all
    }
}
