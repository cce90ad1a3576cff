// The cells that one cell has for the values of an argument.

extension InstanceCell {
    /// `==` of the arguments is code of the user, so keys are not compared under the lock: a row of keys with one hash is
    /// taken out, searched, and put back longer if nothing has changed meanwhile.
    ///
    /// Guarded by the lock of the cell, which has none until the first argument comes, and none again after a reset.
    final class Branches {
        typealias Row = [(key: ArgumentKey, cell: InstanceCell)]

        fileprivate(set) var rows: [Int: Row] = [:]
        private(set) var count = 0
        /// Counts the changes.
        fileprivate private(set) var version: UInt64 = 0
        /// When there are so many, those that keep nothing are taken off.
        var limit = 64

        var isEmpty: Bool { rows.isEmpty }
        var cells: [InstanceCell] { rows.values.flatMap { row in row.map { $0.cell } } }

        fileprivate func add(_ cell: InstanceCell, for key: ArgumentKey) {
            rows[key.hash, default: []].append((key, cell))
            count += 1
            version += 1
        }

        /// Takes the cells off that are meant, among those for one hash.
        ///
        /// - Returns: the old row, to be released outside the lock.
        fileprivate func remove(_ hash: Int, where isMeant: (InstanceCell) -> Bool) -> Row? {
            guard let old = rows[hash], old.contains(where: { isMeant($0.cell) }) else { return nil }
            let rest = old.filter { !isMeant($0.cell) }
            rows[hash] = rest.isEmpty ? nil : rest
            count -= old.count - rest.count
            version += 1
            return old
        }
    }

    /// The cell for `key`.
    func branch(for key: ArgumentKey) -> InstanceCell {
        while true {
            // Copied, not only retained: others go on writing.
            let (row, branches, version) = withLock { state in
                (state.branches?.rows[key.hash]?.map { $0 } ?? [], state.branches, state.branches?.version)
            }
            if let found = row.first(where: { $0.key == key }) { return found.cell }
            let branch = InstanceCell(number: ProcessIdentity.next())
            let (isAdded, isFull) = withLock { state in
                guard state.branches === branches, branches?.version == version, !state.isRetired else {
                    return (state.isRetired, false)
                }
                let branches = branches ?? Branches()
                state.branches = branches
                branches.add(branch, for: key)
                return (true, branches.count > branches.limit)
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
        [self] + withLock { $0.branches?.cells ?? [] }
    }

    /// Takes a retired branch off, and does not wait for the thread that has retired it to do so.
    func remove(_ branch: InstanceCell, for key: ArgumentKey) {
        discard { $0.branches?.remove(key.hash) { $0 === branch } }
    }

    /// Takes off the branches that keep nothing: the factory failed, or no other reference held a weakly kept instance.
    func prune() {
        let cells = withLock { $0.branches?.cells ?? [] }
        let dead = cells.filter { $0.retireIfDead() }
        let identities = Set(dead.map { ObjectIdentifier($0) })
        discard { state -> [Branches.Row] in
            guard let branches = state.branches else { return [] }
            let old = Array(branches.rows.keys).compactMap { hash in
                branches.remove(hash) { identities.contains(ObjectIdentifier($0)) }
            }
            branches.limit = max(64, 2 * branches.count)
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
            guard state.maker == nil, state.kept.order == order else { return false }
            state.isRetired = true
            return true
        }
    }
}
