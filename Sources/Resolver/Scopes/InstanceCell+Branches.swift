// The cells that one cell has for the values of an argument.

extension InstanceCell {
    /// `==` of the arguments is code of the user, so keys are not compared under the lock: a row of keys with one hash is
    /// taken out, searched, and put back longer if nothing has changed meanwhile.
    struct Branches {
        typealias Row = [(key: ArgumentKey, cell: InstanceCell)]

        var rows: [Int: Row] = [:]
        var count = 0
        /// Counts the changes.
        var version: UInt64 = 0
        /// When there are so many, those that keep nothing are taken off.
        var limit = 64

        var isEmpty: Bool { rows.isEmpty }
        var cells: [InstanceCell] { rows.values.flatMap { row in row.map { $0.cell } } }
    }

    /// The cell for `key`.
    func branch(for key: ArgumentKey) -> InstanceCell {
        while true {
            // Copied, not only retained: others go on writing.
            let (row, version) = withLock { state in
                (state.branches.rows[key.hash]?.map { $0 } ?? [], state.branches.version)
            }
            if let found = row.first(where: { $0.key == key }) { return found.cell }
            let branch = InstanceCell(number: ProcessIdentity.next())
            let (isAdded, isFull) = withLock { state in
                guard state.branches.version == version, !state.isRetired else { return (state.isRetired, false) }
                state.branches.rows[key.hash, default: []].append((key, branch))
                state.branches.version += 1
                state.branches.count += 1
                return (true, state.branches.count > state.branches.limit)
            }
            if isFull { prune() }
            if isAdded {
                if isRetired { branch.empty(.scopeEnded) }
                return branch
            }
        }
    }

    /// The cell and its branches.
    var withBranches: [InstanceCell] {
        [self] + withLock { $0.branches.cells }
    }

    /// Takes a retired branch off, and does not wait for the thread that has retired it to do so.
    func takeOff(_ branch: InstanceCell, for key: ArgumentKey) {
        withLock { state in
            guard let index = state.branches.rows[key.hash]?.firstIndex(where: { $0.cell === branch }) else { return }
            state.branches.rows[key.hash]?.remove(at: index)
            state.branches.count -= 1
            state.branches.version += 1
        }
    }

    /// Takes off the branches that keep nothing: the factory failed, or no other reference held a weakly kept instance.
    func prune() {
        let cells = withLock { $0.branches.cells }
        let dead = cells.filter { $0.retireIfDead() }
        let identities = Set(dead.map { ObjectIdentifier($0) })
        discard { state in
            let old = state.branches.rows
            state.branches.rows = old.mapValues { row in row.filter { !identities.contains(ObjectIdentifier($0.cell)) }
            }
            .filter { !$0.value.isEmpty }
            state.branches.count = state.branches.rows.values.reduce(0) { $0 + $1.count }
            state.branches.limit = max(64, 2 * state.branches.count)
            state.branches.version += 1
            return old
        }
        // Held until here: another thread may prune as well, and a new cell must not get the address of one that is gone.
        withExtendedLifetime(dead) {}
    }

    /// Takes the cell out of service for good if it keeps nothing, and nothing is being made to be kept.
    private func retireIfDead() -> Bool {
        // Loaded outside the lock: it may be the last reference that is released here.
        let order = order
        guard kept == nil else { return false }
        return withLock { state in
            guard state.creation == nil, state.kept.order == order else { return false }
            state.isRetired = true
            return true
        }
    }
}

extension InstanceCell.State {
    /// Takes all branches off, if there are any.
    mutating func takeBranches() -> InstanceCell.Branches? {
        guard !branches.isEmpty else { return nil }
        let old = branches
        branches = InstanceCell.Branches()
        branches.version = old.version + 1
        return old
    }
}
