// Instances that an entry keeps itself, without a cell.
//
// One thread creates most instances of a scope, and no other thread waits for them. An instance without hooks and time to live then
// needs no cell: the slot of its entry serves it until the scope ends. Other code asks for the cell, which takes over the instance or its
// creation.

extension CellDirectory {
    /// The claim of a caller to create an instance that an entry is to keep. The caller passes it to `finish` of the directory.
    struct InlineClaim {
        /// The directory. The caller holds its owner.
        let directory: Unretained<CellDirectory>
        fileprivate let entry: Entry
        fileprivate let number: UInt64
    }

    /// Begins to create an instance that its entry is to keep.
    ///
    /// - Parameters:
    ///   - store: the store of the instance, which must be permanent.
    ///   - isWanted: called under the lock, as in `InstanceCell.turn`.
    /// - Returns: nil if the caller has to use the cell.
    func begin(
        _ registration: AnyResolverRegistration, in store: InstanceStore, by node: Unretained<WaitNode>,
        isWanted: () -> Bool
    ) -> InlineClaim? {
        withLock { state in
            let known = first.isClosed ? nil : find(registration, store)
            if first.isClosed || known?.isUsed == true { return nil }
            let entry = known ?? state.add(registration, store)
            // The entry exists already, so a thread that makes this false finds the entry afterwards.
            guard isWanted() else { return nil }
            let number = ProcessIdentity.next()
            entry.beginFilling(number, by: node, registration, store)
            return InlineClaim(directory: Unretained(self), entry: entry, number: number)
        }
    }

    /// Ends a creation with an instance, which is kept unless a reset or the end of the scope has forgotten the creation.
    ///
    /// - Returns: whether the instance is kept.
    func finish(_ claim: InlineClaim, with object: AnyObject) -> Bool {
        let (isKept, cell) = withLock { state -> (Bool, InstanceCell?) in
            if claim.entry.isBeingFilled(claim.number) {
                if claim.entry.keep(object) { return (true, nil) }
                _ = makeCell(of: claim.entry, in: &state)
            }
            return (false, state.takeCell(of: claim))
        }
        guard let cell else { return isKept }
        return cell.finish(InstanceCell.Claim(number: claim.number), with: object, strength: .strong)
    }

    func finish(_ claim: InlineClaim, without outcome: Creation.Outcome) {
        // The registration is released outside the lock.
        let (cell, ended) = withLock { state -> (InstanceCell?, Removed?) in
            claim.entry.isBeingFilled(claim.number)
                ? (nil, claim.entry.takeInstance()) : (state.takeCell(of: claim), nil)
        }
        cell?.finish(InstanceCell.Claim(number: claim.number), without: outcome)
        withExtendedLifetime(ended) {}
    }

    /// Returns the cell of an entry, if it has one. A new cell takes over an instance, or a running creation, without a cell. Called under
    /// the lock.
    func makeCell(of entry: Entry, in state: inout State) -> InstanceCell? {
        guard let registration = entry.registration, let (store, number, node) = entry.endInline() else {
            return entry.cell
        }
        let cell = InstanceCell(of: store.object)
        if let node {
            let creation = InstanceCell.Running(
                number: number, node: node, subject: .registration(registration),
                identity: registration.number &+ isolation)
            cell.withLock { $0.running = creation }
            state.cellsOfCreations = (state.cellsOfCreations ?? []) + [(number, cell)]
        } else if let object = entry.slot.take()?.takeRetainedValue() {
            cell.withLock { cell in
                cell.kept = CachedInstance(object, order: number)
                cell.slots.add(entry.slot)
            }
        }
        entry.put(cell, nil)
        return cell
    }
}

extension CellDirectory.State {
    /// Removes and returns the cell that has taken over the claimed creation, if any.
    fileprivate mutating func takeCell(of claim: CellDirectory.InlineClaim) -> InstanceCell? {
        guard let index = cellsOfCreations?.firstIndex(where: { $0.number == claim.number }) else { return nil }
        return cellsOfCreations?.remove(at: index).cell
    }
}
