/// The cells that are not stored in a registration.
///
/// For an isolating resolver, or a scope of a context, it has the instances of other resolvers' registrations. For every resolver, it
/// has the instances of the resolver's own registrations in all stores except the first.
///
/// Entries lie in rows that never move. A row of twice the size follows a full one. An entry is found without a lock by the numbers of
/// registration and store, which are never reused. It is written under the lock and stays until the directory ends. If its store has
/// ended, it may get another store. Each entry has a slot, which serves hits without the cell. An entry may keep an instance without a
/// cell: see `InlineClaim`.
///
/// `@unchecked Sendable`: the words of entries are atomic and written under the lock alone. They retain what they refer to.
/// The thread that removes an object under the lock releases it, or `deinit` does. Only slots are used without the lock.
final class CellDirectory: Guarded<CellDirectory.State>, @unchecked Sendable {
    /// The cell of an instance, and its slot.
    struct Location: Sendable {
        let cell: InstanceCell
        /// The slot that serves hits; nil if none does. It is valid as long as the registration and the owner of the directory live.
        let slot: FastSlot?
    }

    /// A cell, and its registration if that belongs to another resolver.
    struct Kept: Sendable {
        let cell: InstanceCell
        let registration: AnyResolverRegistration?
    }

    /// An instance that was moved out to be released, and its registration if it was kept without a cell.
    struct Removed {
        var instance = CachedInstance()
        /// Released after all instances.
        let registration: AnyResolverRegistration?
        /// Whether a scope that has not ended kept the instance, for a registration that has ended.
        var isElsewhere = false
    }

    struct State {
        /// The row that is being filled. `count` is the number of its entries.
        fileprivate var last: Row
        fileprivate var count = 0
        /// The cells that have taken over a creation from an entry, until it ends; nil for none.
        var cellsOfCreations: [(number: UInt64, cell: InstanceCell)]?

        mutating func add(_ registration: AnyResolverRegistration, _ store: InstanceStore) -> Entry {
            if count >= last.limit {
                last = last.append()
                count = 0
            }
            count += 1
            return last.add(registration.number, store.number)
        }
    }

    /// The number of the directory. Unlike an address, it is never reused.
    let number = ProcessIdentity.next()
    /// The row where a search begins. It is valid as long as the directory lives.
    let first: Row
    /// See `RegistrationOwner.isolation`.
    let isolation: UInt64

    init(isolation: UInt64 = 0) {
        first = Row(capacity: 4)
        self.isolation = isolation
        super.init(State(last: first))
    }

    deinit {
        forEach { entry in
            // Another thread may still hold the cell, which must not access the freed slot. A cell of a definition outlives its resolvers,
            // and publishes to no slot of a directory.
            if let cell = entry.takeOut()?.cell, !cell.isShared { cell.retire(from: entry.slot)?.release() }
            _ = entry.takeInstance()
        }
        forEachRow { $0.deallocate() }
    }

    /// Returns the location of a registration's instance, if one exists. An instance without a cell gets one.
    ///
    /// - Parameter isForeign: whether the registration belongs to another resolver.
    func location(for registration: AnyResolverRegistration, in store: InstanceStore, isForeign: Bool) -> Location? {
        guard let entry = find(registration, store), let known = withLock({ makeCell(of: entry, in: &$0) }) else {
            return nil
        }
        return Location(cell: known, slot: isForeign ? entry.slot : nil)
    }

    /// Adds `new` as the cell of a registration, unless another thread was faster, and returns the location in use.
    ///
    /// - Parameter isForeign: whether the registration belongs to another resolver. The directory does not retain the resolver's own
    ///   registrations, because they hold the directory.
    func add(
        _ new: InstanceCell, for registration: AnyResolverRegistration, in store: InstanceStore, isForeign: Bool
    ) -> Location {
        // The old cell, and what its slot held, are released outside the lock.
        var old: Kept?
        var credits: FastSlot.Invalidated?
        let location: Location? = withLock { state in
            let found = find(registration, store)
            // The resolver's own registrations serve hits from their own slots, or not at all.
            if let found, let cell = makeCell(of: found, in: &state) {
                return Location(cell: cell, slot: isForeign ? found.slot : nil)
            }
            // The registration may have been removed since the call found it. An entry would retain it.
            if first.isClosed || registration.isReplaced { return nil }
            let entry = found ?? reuse(for: registration, store, &old, &credits) ?? state.add(registration, store)
            entry.put(new, isForeign ? registration : nil)
            return Location(cell: new, slot: isForeign ? entry.slot : nil)
        }
        // The store may have ended a moment ago, and another thread may be about to empty the cell.
        credits?.release()
        if let old { InstanceCell.empty([old.cell], .retired) }
        withExtendedLifetime(old) {}
        if let location { return location }
        new.retire()
        return Location(cell: new, slot: nil)
    }

    /// Returns the entry of the registration whose store has ended, if any, so that replaced caches need hardly any memory.
    private func reuse(
        for registration: AnyResolverRegistration, _ store: InstanceStore, _ old: inout Kept?,
        _ credits: inout FastSlot.Invalidated?
    ) -> Entry? {
        var free: Entry?
        forEachRow { free = free ?? $0.ended(registration.number, store.number) }
        guard let free else { return nil }
        old = free.takeOut()
        // A late call of the old store must not publish its instance in the slot.
        credits = old?.cell.retire(from: free.slot)
        free.restart(store.number)
        return free
    }

    /// Returns whether an entry was ever added for a registration. Takes no lock.
    func knows(_ registration: AnyResolverRegistration) -> Bool {
        var isKnown = false
        forEach(of: registration) { _ in isKnown = true }
        return isKnown
    }

    /// Returns the cells of one registration. An instance without a cell gets one.
    func cells(of registration: AnyResolverRegistration) -> [InstanceCell] {
        withLock { state in
            var cells: [InstanceCell] = []
            forEach(of: registration) { if let cell = makeCell(of: $0, in: &state) { cells.append(cell) } }
            return cells
        }
    }

    /// The cells of other resolvers' registrations, with these registrations. An instance without a cell gets one.
    var foreign: [Kept] {
        withLock { state in
            var foreign: [Kept] = []
            forEach { entry in
                if let registration = entry.registration, let cell = makeCell(of: entry, in: &state) {
                    foreign.append(Kept(cell: cell, registration: registration))
                }
            }
            return foreign
        }
    }

    /// The cells, and the number of instances that are kept without a cell.
    var contents: (cells: [InstanceCell], others: Int) {
        withLock { _ in
            var (cells, others) = ([InstanceCell](), 0)
            forEach { entry in
                if let cell = entry.cell { cells.append(cell) } else if entry.keepsInstance { others += 1 }
            }
            return (cells, others)
        }
    }

    /// Closes the directory: later calls get retired cells. Removes and returns the instances without a cell.
    ///
    /// - Returns: also the cells, which a reset still finds here until `removeAll`.
    func close() -> (cells: [InstanceCell], instances: [Removed]) {
        withLock { state in
            var (cells, instances) = ([InstanceCell](), [Removed]())
            first.close()
            forEach { entry in
                if let cell = entry.cell {
                    cells.append(cell)
                } else if let taken = entry.takeInstance() {
                    if instances.isEmpty { instances.reserveCapacity(state.count) }
                    instances.append(taken)
                }
            }
            return (cells, instances)
        }
    }

    /// Removes and returns the cells, after their instances have been moved out.
    func removeAll() -> [Kept] {
        withLock { _ in
            var cells: [Kept] = []
            forEach { if let taken = $0.takeOut() { cells.append(taken) } }
            return cells
        }
    }

    /// Removes the cells of a registration that is not used again.
    ///
    /// A cell stays until its instance is released and its creations are over, because the end of a scope must reach their waiters.
    func remove(_ registration: AnyResolverRegistration) {
        discard { state in
            var old: [Kept] = []
            forEach(of: registration) { entry in
                if makeCell(of: entry, in: &state)?.isUnused == false { return }
                if let taken = entry.takeOut() { old.append(taken) }
            }
            return old
        }
    }

    // MARK: Entries

    private func forEach(_ body: (Entry) -> Void) { forEachRow { $0.forEach(body) } }

    private func forEach(of registration: AnyResolverRegistration, _ body: (Entry) -> Void) {
        forEachRow { $0.forEach(of: registration.number, body) }
    }

    @inline(__always)
    private func forEachRow(_ body: (Row) -> Void) {
        var row: Row? = first
        while let found = row {
            // The next row is read first, because `body` may free this one.
            row = found.next
            body(found)
        }
    }

    func find(_ registration: AnyResolverRegistration, _ store: InstanceStore) -> Entry? {
        first.search(registration.number, store.number)
    }
}
