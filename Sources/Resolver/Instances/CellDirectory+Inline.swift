// Instances that an entry keeps itself, without a cell.
//
// Most instances of a scope are created by one thread, and the slot of the entry serves them until the scope ends. Such an instance needs
// no waiters, hooks or time to live, and so no cell. Other code asks for the cell, which takes over the instance or its creation.

extension CellDirectory {
    /// The creation of an instance that its entry is to keep. The caller passes it back to `finish` of the directory.
    struct InlineMaker {
        /// The directory. The caller holds its owner.
        let directory: Unretained<CellDirectory>
        fileprivate let entry: Entry
        fileprivate let number: UInt64
    }

    /// Begins to create an instance that its entry is to keep.
    ///
    /// - Parameter isWanted: called under the lock, as in `InstanceCell.turn`.
    /// - Returns: nil if the caller has to use the cell.
    func begin(
        _ registration: AnyResolverRegistration, in store: InstanceStore, by node: Unretained<WaitNode>,
        isWanted: () -> Bool
    ) -> InlineMaker? {
        withLock { state in
            let known = first.isClosed ? nil : find(registration, store)
            if first.isClosed || known?.isUsed == true { return nil }
            let entry = known ?? state.add(registration, store)
            // The entry exists already, so a thread that makes this false finds the entry afterwards.
            guard isWanted() else { return nil }
            let number = ProcessIdentity.next()
            entry.beginFilling(number, by: node, registration, store)
            return InlineMaker(directory: Unretained(self), entry: entry, number: number)
        }
    }

    /// Ends the creation of `maker` with an instance, which is kept unless a reset or the end of the scope has forgotten the creation.
    ///
    /// - Returns: whether the instance is kept.
    func finish(_ maker: InlineMaker, with object: AnyObject) -> Bool {
        let (isKept, cell) = withLock { state -> (Bool, InstanceCell?) in
            if maker.entry.isBeingFilled(maker.number) {
                if maker.entry.keep(object) { return (true, nil) }
                _ = makeCell(of: maker.entry, in: &state)
            }
            return (false, state.takeCell(of: maker))
        }
        guard let cell else { return isKept }
        return cell.finish(InstanceCell.Maker(number: maker.number), with: object, strength: .strong)
    }

    func finish(_ maker: InlineMaker, without outcome: Creation.Outcome) {
        // The registration is released outside the lock.
        let (cell, ended) = withLock { state -> (InstanceCell?, Removed?) in
            maker.entry.isBeingFilled(maker.number)
                ? (nil, maker.entry.takeInstance()) : (state.takeCell(of: maker), nil)
        }
        cell?.finish(InstanceCell.Maker(number: maker.number), without: outcome)
        withExtendedLifetime(ended) {}
    }

    /// Returns the cell of an entry. If the entry keeps an instance itself, a new cell takes it over. Called under the lock.
    func makeCell(of entry: Entry, in state: inout State) -> InstanceCell? {
        guard let registration = entry.registration, let (store, number, node) = entry.endInline() else {
            return entry.cell
        }
        let cell = InstanceCell(of: store)
        if let node {
            let creation = InstanceCell.Running(
                number: number, node: node, subject: .registration(registration),
                identity: registration.number &+ isolation)
            cell.withLock { $0.running = creation }
            state.cellsOfMakers = (state.cellsOfMakers ?? []) + [(number, cell)]
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
    /// Removes and returns the cell that has taken over the creation of `maker`, if any.
    fileprivate mutating func takeCell(of maker: CellDirectory.InlineMaker) -> InstanceCell? {
        guard let index = cellsOfMakers?.firstIndex(where: { $0.number == maker.number }) else { return nil }
        return cellsOfMakers?.remove(at: index).cell
    }
}
