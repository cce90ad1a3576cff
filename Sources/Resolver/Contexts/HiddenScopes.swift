/// Which scopes are not seen while something is made that lives longer: those of a lower rank that had begun before.
struct HiddenScopes: Sendable {
    let rank: Int
    private let since: UInt64

    static let none = HiddenScopes(rank: .min, since: 0)

    private init(rank: Int, since: UInt64) {
        self.rank = rank
        self.since = since
    }

    init(below rank: Int) {
        self.init(rank: rank, since: ProcessIdentity.next())
    }

    func contains(_ scope: ScopeHandle) -> Bool {
        scope.kind.rank < rank && scope.number < since
    }
}
