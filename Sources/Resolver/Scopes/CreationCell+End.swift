// How a cell lets go of what it keeps.

extension CreationCell {
    /// Why an instance is let go of.
    enum End {
        case reset
        /// Nothing is made here any more: the branch was taken off its cell.
        case retired
        /// The same because the scope has ended that the cell belongs to.
        case scopeEnded
    }

    /// What was taken out of a cell.
    struct Withdrawn {
        let kept: KeptInstance
        let credits: [InstanceSlot.Withdrawn]
        let flight: Creation?

        var hasToBeAwaited: Bool { kept.farewell.hasToBeAwaited }

        /// Outside every lock: here the hooks and the `deinit` of the instance run.
        func release() {
            wake()
            if let object = kept.object { kept.farewell.run(object) }
            releaseReferences()
        }

        /// The same, and waits for the hooks.
        func releaseAndWait() async {
            wake()
            if let object = kept.object { await kept.farewell.runAndWait(Sent(value: object)) }
            releaseReferences()
        }

        private func wake() {
            flight?.wake()
            flight?.flight?.cancel()
        }

        private func releaseReferences() {
            for credit in credits { credit.release() }
            withExtendedLifetime(kept) {}
        }
    }

    /// Lets go of the instance, and of the result of a creation that has not ended yet.
    ///
    /// When this returns, the cell's own references are gone; the instance lives on only where somebody else holds it.
    func empty(_ end: End = .reset) {
        state.withLock { $0.withdraw(end) }.release()
    }

    /// Lets go of an instance whose time is over.
    func emptyIfOver(_ timer: ExpiryTimer) {
        let moment = timer.moment
        state.withLock { $0.kept.isOver(at: moment) ? $0.withdraw() : nil }?.release()
    }

    /// Lets go of what `cells` and their branches keep, the youngest first.
    static func empty(_ cells: [CreationCell], _ end: End = .reset) {
        for (cell, end) in youngestFirst(cells, end) { cell.empty(end) }
    }

    /// The same, and waits for each hook before the next instance is let go of. Those that have to be awaited run in a task
    /// that is not cancelled with this one, the others here.
    nonisolated(nonsending) static func emptyAndWait(_ cells: [CreationCell], _ end: End) async {
        for (cell, end) in youngestFirst(cells, end) {
            let old = cell.state.withLock { $0.withdraw(end) }
            if old.hasToBeAwaited {
                let old = Sent(value: old)
                await Task { await old.value.releaseAndWait() }.value
            } else {
                old.release()
            }
        }
    }

    private static func youngestFirst(_ cells: [CreationCell], _ end: End) -> [(cell: CreationCell, end: End)] {
        var all: [(order: UInt64, cell: CreationCell, end: End)] = []
        // First, so that no branches are added.
        if end == .scopeEnded {
            for cell in cells { cell.state.withLock { $0.isRetired = true } }
        }
        for cell in cells where end == .scopeEnded || !cell.isIdle {
            all.append((cell.order, cell, end))
            all += cell.takeBranches().map { ($0.order, $0, end == .reset ? .retired : end) }
        }
        if all.count > 1 { all.sort { $0.order > $1.order } }
        return all.map { ($0.cell, $0.end) }
    }
}
