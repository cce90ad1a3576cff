/// Which scopes are not seen while something is made that lives longer: those of a lower rank, except what begins in the making.
/// What is made inside adds those that it must not see itself.
struct CaptiveDependencyGuard: Sendable {
    private let rank: Int
    private let since: UInt64
    /// Who makes it: the number of a thread, or of a task's cycle.
    private let maker: UInt64
    /// How many scopes had begun by then.
    private let begun: UInt64
    /// What is made; nil for `registerAllServices`, and for what hides nothing.
    private let consumer: AnyResolverRegistration?
    private let outer: Outer?

    private final class Outer: Sendable {
        let scopes: CaptiveDependencyGuard
        init(_ scopes: CaptiveDependencyGuard) { self.scopes = scopes }
    }

    static let none = CaptiveDependencyGuard(rank: .min, since: 0, maker: 0, begun: 0, consumer: nil, outer: nil)

    private init(
        rank: Int, since: UInt64, maker: UInt64, begun: UInt64, consumer: AnyResolverRegistration?, outer: Outer?
    ) {
        self.rank = rank
        self.since = since
        self.maker = maker
        self.begun = begun
        self.consumer = consumer
        self.outer = outer
    }

    /// While `maker` makes `consumer`, which has a rank, where `outer` are hidden already.
    init(below rank: Int, in outer: CaptiveDependencyGuard, by maker: UInt64, for consumer: AnyResolverRegistration?) {
        // Counted before the number is taken: a scope that has a higher one is counted later.
        let begun = ScopeHandle.begun
        let isMore = rank >= outer.rank
        if !isMore, begun == outer.begun, maker == outer.maker {
            // There is none that this one would hide and `outer` does not.
            self = outer
        } else {
            self.init(
                rank: rank, since: ProcessIdentity.next(), maker: maker, begun: begun, consumer: consumer,
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

    /// What is made that must not get anything of `scope`; nil if the scope is seen.
    func consumer(hiding scope: ScopeHandle) -> ResolutionStep? {
        if scope.number > since, scope.hasBegun(by: maker) { return nil }
        if scope.kind.rank >= rank { return outer?.scopes.consumer(hiding: scope) }
        return consumer.map(ResolutionStep.registration) ?? .bootstrap
    }
}
