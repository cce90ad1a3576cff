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
    /// By the numbers of the registrations.
    private let rows = Guarded<[UInt64: Row]>([:])

    init() {}

    /// - Parameter isForeign: whether the registration is another resolver's.
    func cell(
        for registration: AnyResolverRegistration, in store: InstanceStore, isForeign: Bool, make: () -> StoredCell
    ) -> StoredCell {
        if let found = rows.withLock({ $0[registration.number]?.cells[store.number] }) { return found }
        let new = make()
        let row = Row(registration: isForeign ? registration : nil)
        return rows.withLock { rows in
            if let found = rows[registration.number]?.cells[store.number] { return found }
            rows[registration.number, default: row].cells[store.number] = new
            return new
        }
    }

    /// The cells of one registration.
    func cells(of registration: AnyResolverRegistration) -> [StoredCell] {
        rows.withLock { $0[registration.number].map { Array($0.cells.values) } ?? [] }
    }

    /// The cells of other resolvers' registrations.
    var foreign: [(registration: AnyResolverRegistration, stored: StoredCell)] {
        rows.withLock { Array($0.values) }.flatMap { row in
            row.registration.map { registration in row.cells.values.map { (registration, $0) } } ?? []
        }
    }

    /// For a registration that will not be asked again. The caller empties its cells.
    func remove(_ registration: AnyResolverRegistration) {
        rows.discard { $0.removeValue(forKey: registration.number) }
    }
}
