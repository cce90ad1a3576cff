/// A cell and what it is used for.
final class StoredCell: Sendable {
    let cell: CreationCell
    let store: InstanceStore
    /// Whether it belongs to a definition, and so to other resolvers as well.
    let isShared: Bool
    /// Whether an isolating resolver keeps it to itself: a reset of the scope does not reach it.
    let isIsolated: Bool

    init(cell: CreationCell = CreationCell(), store: InstanceStore, isShared: Bool = false, isIsolated: Bool = false) {
        self.cell = cell
        self.store = store
        self.isShared = isShared
        self.isIsolated = isIsolated
    }

    /// Lets go of what all of them keep, the youngest first.
    static func empty(_ all: [StoredCell]) {
        CreationCell.empty(all.map(\.cell))
        for stored in all where !stored.isIsolated { stored.store.forget(stored.cell) }
    }
}
