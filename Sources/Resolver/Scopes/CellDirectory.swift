/// The cells of a resolver that do not stand in a registration of its own: where several scopes have kept something for
/// one of them, and those of other resolvers' registrations if it isolates.
final class CellDirectory: Sendable {
    private struct Row {
        /// nil for a registration of the resolver itself, which is in its table and would hold this directory.
        let registration: AnyResolverRegistration?
        /// By the numbers of their stores.
        var cells: [UInt64: StoredCell] = [:]
    }

    /// Never reused, unlike an address.
    let number = ProcessIdentity.next()
    private struct State {
        /// By the numbers of the registrations.
        var rows: [UInt64: Row] = [:]
        var isClosed = false
    }

    private let state = Guarded(State())

    init() {}

    /// - Parameter isForeign: whether the registration is another resolver's.
    func cell(
        for registration: AnyResolverRegistration, in store: InstanceStore, isForeign: Bool, make: () -> StoredCell
    ) -> StoredCell {
        if let found = state.withLock({ $0.rows[registration.number]?.cells[store.number] }) { return found }
        let new = make()
        let row = Row(registration: isForeign ? registration : nil)
        let (cell, isClosed) = state.withLock { state in
            if let found = state.rows[registration.number]?.cells[store.number] { return (found, false) }
            if !state.isClosed { state.rows[registration.number, default: row].cells[store.number] = new }
            return (new, state.isClosed)
        }
        if isClosed { cell.cell.empty(.scopeEnded) }
        return cell
    }

    /// The cells of one registration.
    func cells(of registration: AnyResolverRegistration) -> [StoredCell] {
        state.withLock { $0.rows[registration.number].map { Array($0.cells.values) } ?? [] }
    }

    /// The cells of other resolvers' registrations.
    var foreign: [(registration: AnyResolverRegistration, stored: StoredCell)] {
        state.withLock { Array($0.rows.values) }.flatMap { row in
            row.registration.map { registration in row.cells.values.map { (registration, $0) } } ?? []
        }
    }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Takes out all cells for good. Whoever comes later gets cells in which nothing is made any more.
    func close() -> [CreationCell] {
        let old = state.withLock { state in
            defer { state.rows = [:] }
            state.isClosed = true
            return state.rows
        }
        return withExtendedLifetime(old) { old.values.flatMap { row in row.cells.values.map { $0.cell } } }
    }

    /// For a registration that will not be asked again. The caller empties its cells.
    func remove(_ registration: AnyResolverRegistration) {
        state.discard { $0.rows.removeValue(forKey: registration.number) }
    }
}
