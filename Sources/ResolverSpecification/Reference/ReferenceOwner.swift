/// The instances of a container or a context.
final class ReferenceOwner {
    struct Key: Hashable {
        let registration: ObjectIdentifier
        let lifetime: Lifetime
    }

    private var kept: [Key: (registration: ReferenceRegistration, cell: ReferenceCell)] = [:]
    private(set) var isClosed = false
    /// The number of tasks that make an instance for it.
    var flights = 0
    /// Whether it keeps the instances of all lifetimes. Resets of a lifetime in all containers do not reach it.
    let keepsAll: Bool
    /// The kind of the context that it belongs to; nil for a container.
    let kind: ContextKind?

    init(keepsAll: Bool, kind: ContextKind?) {
        self.keepsAll = keepsAll
        self.kind = kind
    }

    func cell(for registration: ReferenceRegistration, _ lifetime: Lifetime) -> ReferenceCell {
        let key = Key(registration: ObjectIdentifier(registration), lifetime: lifetime)
        if let known = kept[key] { return known.cell }
        let new = ReferenceCell()
        kept[key] = (registration, new)
        if isClosed { new.empty(isRetired: true) }
        return new
    }

    func cells(of lifetime: Lifetime) -> [ReferenceCell] {
        kept.filter { $0.key.lifetime == lifetime }.map(\.value.cell)
    }

    func cells(of registration: ReferenceRegistration) -> [ReferenceCell] {
        kept.values.filter { $0.registration === registration }.map(\.cell)
    }

    var all: [(registration: ReferenceRegistration, cell: ReferenceCell)] { Array(kept.values) }

    /// Releases all instances, and keeps none from then on.
    func close() {
        let old = kept.values.map(\.cell)
        isClosed = true
        kept = [:]
        ReferenceCell.close(old)
    }
}
