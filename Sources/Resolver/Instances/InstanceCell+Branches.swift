// The cells that a cell has for argument values, and the keys of these values.

extension InstanceCell {
    /// The branches of a cell: one cell for each argument key.
    ///
    /// `==` of the arguments is code of the user, so keys are not compared under the lock. A thread copies the row of one hash,
    /// compares outside the lock, and adds a branch only if the row has not changed meanwhile.
    ///
    /// Guarded by the lock of the cell. A cell has none until the first argument comes, and after a reset.
    final class Branches {
        /// A branch that no call finds any more has no key.
        typealias Row = [(key: ArgumentKey?, cell: InstanceCell)]

        fileprivate(set) var rows: [Int: Row] = [:]
        private(set) var count = 0
        /// The number of branches beyond which those that keep nothing are removed.
        var limit = 64

        var isEmpty: Bool { rows.isEmpty }
        var cells: [InstanceCell] { rows.values.flatMap { row in row.map { $0.cell } } }

        fileprivate func add(_ cell: InstanceCell, for key: ArgumentKey) {
            rows[key.hash, default: []].append((key, cell))
            count += 1
        }

        /// Removes the selected cells from the row of one hash.
        ///
        /// - Returns: the old row. The caller releases it outside the lock.
        fileprivate func remove(_ hash: Int, where isMeant: (InstanceCell) -> Bool) -> Row? {
            guard let old = rows[hash], old.contains(where: { isMeant($0.cell) }) else { return nil }
            let rest = old.filter { !isMeant($0.cell) }
            rows[hash] = rest.isEmpty ? nil : rest
            count -= old.count - rest.count
            return old
        }

        /// Hides the cell from all later calls.
        ///
        /// - Returns: the old row. The caller releases it outside the lock.
        fileprivate func hide(_ cell: InstanceCell, _ hash: Int) -> Row? {
            let old = rows[hash]
            rows[hash] = old?.map { ($0.cell === cell ? nil : $0.key, $0.cell) }
            return old
        }
    }

    /// Returns the cell for `key`, which is created if it does not exist. If this cell is retired, so is the result.
    ///
    /// A key whose comparison always changes the branches would be compared for ever. After `mostRounds` rounds it gets its own branch.
    func branch(for key: ArgumentKey) -> InstanceCell {
        var rounds = 0
        while true {
            rounds += 1
            // A row is copied and not only retained, because other threads continue to write. Nearly every row has one branch.
            let (first, others, branches) = withLock { state -> (Branches.Row.Element?, Branches.Row, Branches?) in
                guard let row = state.branches?.rows[key.hash] else { return (nil, [], state.branches) }
                return (row.first, row.dropFirst().map { $0 }, state.branches)
            }
            if let first, first.key == key { return first.cell }
            if let found = others.first(where: { $0.key == key }) { return found.cell }
            let row = first.map { [$0] + others } ?? []
            let branch = InstanceCell(number: ProcessIdentity.next())
            let (isAdded, isFull) = withLock { state in
                let isSame =
                    state.branches === branches
                    && (branches?.rows[key.hash] ?? []).elementsEqual(row) { $0.cell === $1.cell }
                guard isSame || rounds > ReleaseHooks.mostRounds, !state.isRetired else {
                    return (state.isRetired, false)
                }
                let branches = state.branches ?? Branches()
                state.branches = branches
                branches.add(branch, for: key)
                return (true, branches.count > branches.limit)
            }
            if isFull { prune() }
            if isAdded {
                if isRetired { branch.retire() }
                return branch
            }
        }
    }

    var withBranches: [InstanceCell] { [self] + withLock { $0.branches?.cells ?? [] } }

    /// Removes a retired branch, without waiting for the thread that retired it to do so.
    func remove(_ branch: InstanceCell, for key: ArgumentKey) {
        // The end of the scope cancels the creation, so it finds the branch until then.
        let isCreating = branch.withLock { $0.isCreating }
        discard { state in
            isCreating ? state.branches?.hide(branch, key.hash) : state.branches?.remove(key.hash) { $0 === branch }
        }
    }

    /// Removes the branches that keep nothing, because the factory failed or a weakly kept instance was deallocated.
    func prune() {
        let cells = withLock { $0.branches?.cells ?? [] }
        let dead = cells.filter { $0.retireIfDead() }
        let identities = Set(dead.map { ObjectIdentifier($0) })
        discard { state -> [Branches.Row] in
            guard let branches = state.branches else { return [] }
            let hashes = identities.isEmpty ? [] : Array(branches.rows.keys)
            let old = hashes.compactMap { hash in
                branches.remove(hash) { identities.contains(ObjectIdentifier($0)) }
            }
            branches.limit = max(64, 2 * branches.count)
            return old
        }
        // `dead` is held until here: another thread may prune too, and a new cell must not get the address of a deallocated one.
        withExtendedLifetime(dead) {}
    }

    /// Retires the cell if it keeps nothing and no creation is running, and returns whether it did.
    private func retireIfDead() -> Bool {
        // Released outside the lock, because the loaded reference may be the last one.
        let order = order
        guard kept == nil else { return false }
        return withLock { state in
            guard !state.isCreating, state.kept.order == order else { return false }
            state.isRetired = true
            return true
        }
    }
}

/// The arguments of a call as a key of instances. Two keys are equal if the arguments have equal types and values.
///
/// `@unchecked Sendable`: keys are compared on any thread, which `scopeOnArguments` requires of the arguments.
class ArgumentKey: @unchecked Sendable {
    /// The hash of the arguments, computed once, because `hash(into:)` is code of the user.
    let hash: Int

    fileprivate init(hash: Int) { self.hash = hash }

    fileprivate func isEqual(to other: ArgumentKey) -> Bool { false }

    /// Returns a key, or nil if the argument is not equal to itself, as a NaN is not.
    static func of<Argument: Hashable>(_ argument: Argument) -> ArgumentKey? {
        if Argument.self == AnyHashable.self { return of(any: argument) }
        return argument == argument ? TypedArgumentKey(argument) : nil
    }

    /// Returns a key, or nil if the argument is not `Hashable` or not equal to itself.
    ///
    /// A dictionary of arguments is hashable if all its values are, whatever its static type.
    static func of(any argument: Any) -> ArgumentKey? {
        if type(of: argument) == AnyHashable.self, let hashable = argument as? AnyHashable {
            return of(any: hashable.base)
        }
        if let keyed = argument as? [String: Any?] {
            let keys = keyed.compactMapValues { value in value.map(of(any:)) ?? of(Nothing()) }
            return keys.count == keyed.count ? of(keys) : nil
        }
        return (argument as? any Hashable).flatMap { of($0) }
    }

    /// The key of a dictionary argument that is nil.
    private struct Nothing: Hashable {}
}

extension ArgumentKey: Hashable {
    static func == (lhs: ArgumentKey, rhs: ArgumentKey) -> Bool { lhs.isEqual(to: rhs) }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

private final class TypedArgumentKey<Argument: Hashable>: ArgumentKey, @unchecked Sendable {
    private let argument: Argument

    init(_ argument: Argument) {
        self.argument = argument
        super.init(hash: argument.hashValue)
    }

    override func isEqual(to other: ArgumentKey) -> Bool {
        // A copy of an optional argument would take several times as long as the comparison.
        guard let other = other as? TypedArgumentKey<Argument> else { return false }
        return ResolutionCycle.current.withoutPass { other.argument == argument }
    }
}
