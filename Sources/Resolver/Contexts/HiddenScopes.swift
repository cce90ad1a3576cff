/// Which scopes are not seen while something is made that lives longer: those of a lower rank, except what begins in the making.
/// What is made inside adds those that it must not see itself.
struct HiddenScopes: Sendable {
    private let rank: Int
    private let since: UInt64
    /// Who makes it: the number of a thread, or of a task's cycle.
    private let maker: UInt64
    /// How many scopes had begun by then.
    private let begun: UInt64
    private let outer: Outer?

    private final class Outer: Sendable {
        let scopes: HiddenScopes
        init(_ scopes: HiddenScopes) { self.scopes = scopes }
    }

    static let none = HiddenScopes(rank: .min, since: 0, maker: 0, begun: 0, outer: nil)

    private init(rank: Int, since: UInt64, maker: UInt64, begun: UInt64, outer: Outer?) {
        self.rank = rank
        self.since = since
        self.maker = maker
        self.begun = begun
        self.outer = outer
    }

    /// While `maker` makes something of a rank, where `outer` are hidden already.
    init(below rank: Int, in outer: HiddenScopes, by maker: UInt64) {
        // Counted before the number is taken: a scope that has a higher one is counted later.
        let begun = ScopeHandle.begun
        let isMore = rank >= outer.rank
        if !isMore, begun == outer.begun, maker == outer.maker {
            // There is none that this one would hide and `outer` does not.
            self = outer
        } else {
            self.init(
                rank: rank, since: ProcessIdentity.next(), maker: maker, begun: begun,
                outer: isMore ? nil : Outer(outer))
        }
    }

    /// Whether nothing that lives longer is being made.
    @inline(__always)
    var areNone: Bool { rank == .min }

    func contains(_ scope: ScopeHandle) -> Bool {
        // What has begun in the making has begun in all that is around it.
        if scope.number > since, scope.hasBegun(by: maker) { return false }
        return scope.kind.rank < rank || outer?.scopes.contains(scope) ?? false
    }
}
