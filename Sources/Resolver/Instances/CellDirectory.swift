/// The cells that stand in no registration: those of an isolating resolver, or a scope of a context, for other resolvers'
/// registrations, and of a resolver where several scopes have kept something for one of its own.
///
/// A row of entries in memory that never moves, and further rows of twice the size when it is full. Entries are found by
/// the numbers of registration and store, which are never reused, without a lock; they are written under one, and stay
/// until the directory ends. One that belongs to a scope that is gone may be given to another scope. In each entry is a slot, so that hits need not ask the cell.
///
/// `@unchecked Sendable`: the words of the entries are atomic, and written under the lock alone. What they point
/// to is retained, and released by the thread that takes it out under that lock, or at the end; only slots are used without it.
final class CellDirectory: Guarded<CellDirectory.State>, @unchecked Sendable {
    /// Where one instance is kept.
    struct Seat: Sendable {
        let cell: InstanceCell
        /// Where hits are answered, if they are. It stays as long as the registration and the keeper do.
        let slot: FastSlot?
    }

    /// A cell, and the registration of another resolver that it is for; nil for one of the resolver's own.
    struct Kept: Sendable {
        let cell: InstanceCell
        let registration: AnyResolverRegistration?
    }

    struct State {
        /// The row that is being filled, and how many entries it has.
        fileprivate var last: Row
        fileprivate var count = 0

        /// A new entry.
        fileprivate mutating func add(_ registration: AnyResolverRegistration, _ store: InstanceStore) -> Entry {
            if count >= last.limit {
                last = last.append()
                count = 0
            }
            count += 1
            return last.add(registration.number, store.number)
        }
    }

    /// Never reused, unlike an address.
    let number = ProcessIdentity.next()
    /// Where a search begins. Valid as long as the directory.
    let first: Row

    init() {
        first = Row(capacity: 4)
        super.init(State(last: first))
    }

    deinit {
        forEach { entry in
            // The cell may be in other hands by now, and must not reach for memory that is gone.
            entry.takeOut()?.cell.invalidate(entry.slot)
        }
        forEachRow { $0.deallocate() }
    }

    /// Where the instance of a registration is kept, if that is known already.
    ///
    /// - Parameter isForeign: whether the registration is another resolver's.
    func seat(for registration: AnyResolverRegistration, in store: InstanceStore, isForeign: Bool) -> Seat? {
        guard let entry = find(registration, store), let known = withLock({ _ in entry.cell }) else { return nil }
        return Seat(cell: known, slot: isForeign ? entry.slot : nil)
    }

    /// Has the instance of a registration kept in `new`, unless another thread has been faster.
    ///
    /// - Parameter isForeign: whether the registration is another resolver's. One of the resolver's own would, as it is in its
    ///   table, hold this directory.
    func add(
        _ new: InstanceCell, for registration: AnyResolverRegistration, in store: InstanceStore, isForeign: Bool
    ) -> Seat {
        // What was kept for a scope that is gone is released outside the lock.
        var old: Kept?
        let seat: Seat? = withLock { state in
            let found = find(registration, store)
            // Of the resolver's own registrations, hits are answered in their own slots or not at all.
            if let found, let cell = found.cell { return Seat(cell: cell, slot: isForeign ? found.slot : nil) }
            if first.isClosed { return nil }
            let entry = found ?? reuse(for: registration, store, &old) ?? state.add(registration, store)
            entry.put(new, isForeign ? registration : nil)
            return Seat(cell: new, slot: isForeign ? entry.slot : nil)
        }
        withExtendedLifetime(old) {}
        if let seat { return seat }
        new.empty(.scopeEnded)
        return Seat(cell: new, slot: nil)
    }

    /// The entry that the registration has for a scope that is gone, so that a row of scopes takes no more room than one.
    private func reuse(
        for registration: AnyResolverRegistration, _ store: InstanceStore, _ old: inout Kept?
    ) -> Entry? {
        var free: Entry?
        forEach(of: registration) { if free == nil, $0.isFree { free = $0 } }
        old = free?.takeOut()
        free?.restart(store.number)
        return free
    }

    /// Whether anything was ever to be kept here for a registration. Takes no lock.
    func knows(_ registration: AnyResolverRegistration) -> Bool {
        var isKnown = false
        forEach(of: registration) { _ in isKnown = true }
        return isKnown
    }

    /// The cells of one registration.
    func cells(of registration: AnyResolverRegistration) -> [InstanceCell] {
        withLock { _ in
            var cells: [InstanceCell] = []
            forEach(of: registration) { if let cell = $0.cell { cells.append(cell) } }
            return cells
        }
    }

    /// The cells of other resolvers' registrations, which are retained.
    var foreign: [Kept] {
        withLock { _ in
            var foreign: [Kept] = []
            forEach { entry in
                if let registration = entry.registration, let cell = entry.cell {
                    foreign.append(Kept(cell: cell, registration: registration))
                }
            }
            return foreign
        }
    }

    var isClosed: Bool { withLock { _ in first.isClosed } }

    /// Takes out all cells for good. A later call gets cells in which nothing is made any more.
    func close() -> [Kept] {
        withLock { state in
            var old: [Kept] = []
            old.reserveCapacity(state.count)
            first.close()
            forEach { if let taken = $0.takeOut() { old.append(taken) } }
            return old
        }
    }

    /// For a registration that will not be asked again. The caller empties its cells.
    func remove(_ registration: AnyResolverRegistration) {
        discard { _ in
            var old: [Kept] = []
            forEach(of: registration) { if let taken = $0.takeOut() { old.append(taken) } }
            return old
        }
    }

    // MARK: Entries

    private func forEach(_ body: (Entry) -> Void) {
        forEachRow { $0.forEach(body) }
    }

    private func forEach(of registration: AnyResolverRegistration, _ body: (Entry) -> Void) {
        forEachRow { $0.forEach(of: registration.number, body) }
    }

    @inline(__always)
    private func forEachRow(_ body: (Row) -> Void) {
        var row: Row? = first
        while let found = row {
            // Read before, as the row may end with it.
            row = found.next
            body(found)
        }
    }

    private func find(_ registration: AnyResolverRegistration, _ store: InstanceStore) -> Entry? {
        first.search(registration.number, store.number)
    }
}
