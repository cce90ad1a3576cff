/// Which scopes are not seen while something is made that lives longer: those of a lower rank that had begun before. What is
/// made inside adds those that it must not see itself.
struct HiddenScopes: Sendable {
    private let rank: Int
    private let since: UInt64
    /// How many scopes had begun by then.
    private let begun: UInt64
    private let outer: Outer?

    private final class Outer: Sendable {
        let scopes: HiddenScopes
        init(_ scopes: HiddenScopes) { self.scopes = scopes }
    }

    static let none = HiddenScopes(rank: .min, since: 0, begun: 0, outer: nil)

    private init(rank: Int, since: UInt64, begun: UInt64, outer: Outer?) {
        self.rank = rank
        self.since = since
        self.begun = begun
        self.outer = outer
    }

    /// While something of a rank is made, where `outer` are hidden already.
    init(below rank: Int, in outer: HiddenScopes = .none) {
        // Counted before the number is taken: a scope that has a higher one is counted later.
        let begun = ScopeHandle.begun
        let isMore = rank >= outer.rank
        if !isMore, begun == outer.begun {
            // There is none that this one would hide and `outer` does not.
            self = outer
        } else {
            self.init(
                rank: rank, since: ProcessIdentity.next(), begun: begun, outer: isMore ? nil : Outer(outer))
        }
    }

    func contains(_ scope: ScopeHandle) -> Bool {
        scope.kind.rank < rank && scope.number < since || outer?.scopes.contains(scope) ?? false
    }
}
