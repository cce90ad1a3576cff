/// Hides shorter-lived scopes while a longer-lived instance is created, which prevents captive dependencies.
///
/// It hides the scopes of a lower rank, except those that begin during the creation. A nested creation also hides the scopes below
/// its own rank.
struct CaptiveDependencyGuard: Sendable {
    private let rank: Int
    /// A number that is lower than those of all scopes that begin during the creation.
    private let since: UInt64
    /// The number of the thread, or of the task cycle, that creates the instance.
    private let creator: UInt64
    /// The number of scopes that had begun when the creation began.
    private let begun: UInt64
    /// The registration whose instance is created; nil for `registerAllServices`, and for `none`.
    private let consumer: AnyResolverRegistration?
    private let outer: Outer?

    private final class Outer: Sendable {
        let scopes: CaptiveDependencyGuard
        init(_ scopes: CaptiveDependencyGuard) { self.scopes = scopes }

        /// Returns the innermost guard, from this one outwards, that hides more than one of `rank`; nil if none does.
        func hiding(from rank: Int) -> Outer? {
            sequence(first: self, next: \.scopes.outer).first { $0.scopes.rank > rank }
        }
    }

    static let none = CaptiveDependencyGuard(rank: .min, since: 0, creator: 0, begun: 0, consumer: nil, outer: nil)

    /// Whether no scope is hidden.
    @inline(__always)
    var areNone: Bool { rank == .min }

    /// The greatest rank of this guard and of the guards around it.
    var greatestRank: Int { max(rank, outer?.scopes.greatestRank ?? .min) }
}

extension CaptiveDependencyGuard {
    /// Creates the guard for a creation of `consumer` by `creator`, inside the guard `outer`.
    init(below rank: Int, in outer: CaptiveDependencyGuard, by creator: UInt64, for consumer: AnyResolverRegistration?)
    {
        // `begun` is read before the number is taken: a scope with a higher number is counted later.
        let begun = ProcessWord.begunScopes.load()
        let isMore = rank >= outer.rank
        if !isMore, begun == outer.begun, creator == outer.creator {
            // `outer` hides every scope that the new guard would hide.
            self = outer
        } else {
            self.init(
                rank: rank, since: ProcessIdentity.next(), creator: creator, begun: begun, consumer: consumer,
                outer: isMore ? outer.outer?.hiding(from: rank) : Outer(outer))
        }
    }

    /// Returns the creation that hides `scope`; nil if the scope is visible.
    func consumer(hiding scope: ScopeHandle) -> ResolutionStep? {
        // A scope that began during this creation also began during the outer ones.
        if scope.number > since, scope.hasBegun(by: creator) { return nil }
        if scope.kind.rank >= rank { return outer?.scopes.consumer(hiding: scope) }
        return consumer.map(ResolutionStep.registration) ?? .bootstrap
    }
}

// The instances of a resolution cycle that depend on scopes. Creations that hide other scopes do not share them.

extension ResolutionCycle {
    /// Notes that the running factories depend on a scope: a call has used the scope, or the scope is hidden from the call.
    @inline(__always)
    func noteScope() { state.pointee.scopeUses &+= 1 }

    /// The number of uses of scopes on this thread. It grows during a factory that uses one. `hiding` restores it.
    @inline(__always)
    var scopeUses: UInt64 { state.pointee.scopeUses }

    /// Returns the identity of an instance that depends on scopes, which differs with the rank below which they are hidden.
    func dependentIdentity(_ identity: UInt64, in frame: TaskFrame? = nil) -> UInt64 {
        let rank = max(state.pointee.hidden.greatestRank, frame?.cycle.hidden.greatestRank ?? .min)
        return identity &+ (UInt64(bitPattern: Int64(rank)) ^ 0x6A09_E667_F3BC_C909) &* 0x9E37_79B9_7F4A_7C15
    }

    /// Puts the instance with `identity` that depends on scopes into `memory`.
    ///
    /// - Returns: whether the cycle has one.
    @inline(never)
    func dependentInstance(_ identity: UInt64, of registration: AnyResolverRegistration, into memory: ServiceMemory)
        -> Bool
    {
        guard instance(dependentIdentity(identity), of: registration, into: memory) else { return false }
        noteScope()
        return true
    }
}
