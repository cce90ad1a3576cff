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

    /// The greatest rank of this guard and of the guards around it.
    let greatestRank: Int

    static let none = CaptiveDependencyGuard(
        rank: .min, since: 0, creator: 0, begun: 0, consumer: nil, outer: nil, greatestRank: .min)

    /// Whether no scope is hidden.
    @inline(__always)
    var areNone: Bool { rank == .min }
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
                outer: isMore ? outer.outer?.hiding(from: rank) : Outer(outer),
                greatestRank: max(rank, outer.greatestRank))
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

/// The creations that may share an object of a resolution cycle: what they hide makes no difference to it.
///
/// A creation is described by the rank below which it hides scopes. An object that no scope has influenced is for all.
struct SharingRange: Sendable {
    private(set) var lowest = Int.min
    private(set) var highest = Int.max
    /// The number of the first unfinished object of this thread that it depends on, whose own range is not known yet; `UInt64.max` if
    /// there is none.
    private(set) var unfinished = UInt64.max
    var isUnfinished: Bool { unfinished != .max }

    init(unfinished: UInt64 = .max) { self.unfinished = unfinished }

    /// Creates the range of creations of one rank.
    init(at rank: Int) { self.init(rank, rank) }

    /// The range of no creation.
    static let empty = SharingRange(.max, .min)

    private init(_ lowest: Int, _ highest: Int) { (self.lowest, self.highest) = (lowest, highest) }

    @inline(__always)
    func contains(_ rank: Int) -> Bool { lowest <= rank && rank <= highest }

    /// Narrows the range to creations that also share an object of `other`.
    @inline(__always)
    mutating func narrow(to other: SharingRange) {
        if other.lowest > lowest { lowest = other.lowest }
        if other.highest < highest { highest = other.highest }
        dependOnUnfinished(of: other)
    }

    @inline(__always)
    mutating func dependOnUnfinished(of other: SharingRange) {
        if other.unfinished < unfinished { unfinished = other.unfinished }
    }

    /// Narrows the range to that of an unfinished object, if it depends on that object, which is finished now.
    mutating func finish(_ number: UInt64, with final: SharingRange) {
        guard unfinished == number else { return }
        unfinished = .max
        narrow(to: final)
    }

    /// Narrows the range to creations that hide the scopes of `rank`, or to those that do not.
    @inline(__always)
    mutating func narrow(to rank: Int, isHidden: Bool) {
        narrow(to: isHidden ? SharingRange(rank + 1, .max) : SharingRange(.min, rank))
    }
}

extension ResolutionCycle {
    /// The rank below which scopes are hidden that began before the creation.
    func hiddenRank(in task: TaskFrame?) -> Int {
        max(state.pointee.hidden.greatestRank, task?.cycle.hidden.greatestRank ?? .min)
    }

    /// The creations that may share the object of the running factory.
    @inline(__always)
    var range: SharingRange {
        get { state.pointee.range }
        nonmutating set { state.pointee.range = newValue }
    }

    /// Returns whether a call sees `scope`, which is not hidden from it. The running factories depend on the result: their objects are
    /// shared only with creations for which it is the same.
    func sees(_ scope: ScopeHandle) -> Bool {
        let isHidden = !hidesNone && consumer(hiding: scope) != nil, rank = scope.kind.rank
        // Creations of a rank hide this scope, unless it began in them.
        if isHidden || rank >= hiddenRank(in: TaskFrame.current) { range.narrow(to: rank, isHidden: isHidden) }
        return !isHidden
    }

    /// Begins the factory of an object that may be shared.
    ///
    /// - Returns: the argument of `endSharing`.
    @inline(__always)
    func beginSharing() -> SharingRange {
        let outer = range
        range = SharingRange()
        return outer
    }

    /// Ends the factory. The factories around it depend on the scopes that it depends on.
    @inline(__always)
    func endSharing(_ outer: SharingRange) { range.narrow(to: outer) }

    /// Notes that the object of the running factory, the instance at `index`, has all its properties. Objects that have got it unfinished
    /// depend on the same scopes.
    func finish(_ unfinished: UInt64, at index: Int) {
        // Its own range, too, depends on the objects that have got it.
        let isTaken = range.unfinished <= unfinished
        range.finish(unfinished, with: SharingRange())
        state.pointee.graph.finish(
            unfinished, with: isTaken ? range : SharingRange(), at: index..<(isTaken ? instanceCount : index + 1))
        if isTaken, TaskResolutionCycle.areThereAny {
            TaskFrame.current?.cycle.withLock { $0.instances.finish(unfinished, with: range) }
        }
    }
}
