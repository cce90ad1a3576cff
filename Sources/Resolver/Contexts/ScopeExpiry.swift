/// When a scope expires: some time after it began, some time after its last use, or both.
///
///     ScopeContext.shared.setCurrent(.session, id: user.id, expiresAfter: 1800)
///     ScopeContext.shared.setCurrent(.session, id: user.id, expiresAfter: .idle(seconds: 1200))
///     ScopeContext.shared.setCurrent(.session, id: user.id, expiresAfter: .seconds(43_200).orIdle(seconds: 1200))
///
/// A literal is a number of seconds from the beginning of the scope. Times are measured by `Resolver.clock`. Nothing happens by itself
/// when the time is over: the scope ends when it is next asked for.
public struct ScopeExpiry: Hashable, Sendable, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// In nanoseconds.
    private var fixed: Int64?
    private var idle: Int64?

    private init(fixed: Double? = nil, idle: Double? = nil) {
        self.fixed = fixed.map(ResolverClock.nanoseconds)
        self.idle = idle.map(ResolverClock.nanoseconds)
    }

    /// Expires this many seconds after the scope began.
    public init(integerLiteral seconds: Int) { self.init(fixed: Double(seconds)) }

    /// Expires this many seconds after the scope began.
    public init(floatLiteral seconds: Double) { self.init(fixed: seconds) }

    /// Expires this many seconds after the scope began.
    public static func seconds(_ seconds: Double) -> ScopeExpiry { ScopeExpiry(fixed: seconds) }

    /// Expires this many seconds after the scope was last used.
    ///
    /// A scope is used when a service that belongs to it is asked for in it, when code begins to run in it, and when it is set as current
    /// again. Questions, such as `currentID(for:)` and `openScopes()`, are no use.
    public static func idle(seconds: Double) -> ScopeExpiry { ScopeExpiry(idle: seconds) }

    /// Expires also this many seconds after the scope was last used, whichever comes first.
    public func orIdle(seconds: Double) -> ScopeExpiry {
        var both = self
        both.idle = ResolverClock.nanoseconds(in: seconds)
        return both
    }

    /// Whether the time is over.
    ///
    /// - Parameters:
    ///   - set: when the time began to count.
    ///   - used: when the scope was last used.
    func isOver(at now: Int64, set: Int64, used: Int64) -> Bool {
        fixed.map { now >= set &+ $0 } ?? false || idle.map { now >= used &+ $0 } ?? false
    }
}

@available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
extension ScopeExpiry {
    /// Expires this long after the scope began.
    public static func after(_ duration: Duration) -> ScopeExpiry { .seconds(duration.inSeconds) }

    /// Expires this long after the scope was last used: see `idle(seconds:)`.
    public static func idle(_ duration: Duration) -> ScopeExpiry { .idle(seconds: duration.inSeconds) }

    /// Expires also this long after the scope was last used, whichever comes first.
    public func orIdle(_ duration: Duration) -> ScopeExpiry { orIdle(seconds: duration.inSeconds) }
}

@available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
extension Duration {
    var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}

/// When a scope expires, and what its kind's limits are. A scope that has neither has none.
final class ScopeTimer: Guarded<ScopeTimer.State>, @unchecked Sendable {
    struct State {
        var expiry: ScopeExpiry?
        /// When the expiry began to count.
        var set: Int64
        var used: Int64
        /// Those of which observers have not been told.
        var limits: ScopeLimits
    }

    init(_ expiry: ScopeExpiry?, _ limits: ScopeLimits, now: Int64) {
        super.init(State(expiry: expiry, set: now, used: now, limits: limits))
    }

    /// Whether time matters at all. Otherwise the clock, which may be code of the user, is not asked.
    var isRunning: Bool { withLock { $0.expiry != nil || $0.limits.secondsOpen != nil } }

    /// Whether the time is over; if not, a use prolongs it.
    func isOver(at now: Int64, isUse: Bool) -> Bool {
        withLock { state in
            if state.expiry?.isOver(at: now, set: state.set, used: state.used) == true { return true }
            if isUse { state.used = max(state.used, now) }
            return false
        }
    }

    /// A use, from which on another expiry counts, if there is one.
    func restart(_ expiry: ScopeExpiry?, now: Int64) {
        withLock { state in
            state.used = max(state.used, now)
            if let expiry { (state.expiry, state.set) = (expiry, now) }
        }
    }

    /// For how many seconds the scope may be open, if it has been open for longer. Once.
    func takeExceededTime(openFor seconds: Double) -> Double? {
        withLock { state in
            guard let limit = state.limits.secondsOpen, seconds > limit else { return nil }
            state.limits.secondsOpen = nil
            return limit
        }
    }

    /// How many instances the scope may keep, if it keeps more. Once.
    func takeExceededCount(_ count: () -> Int) -> Int? {
        guard let limit = withLock({ $0.limits.instances }), count() > limit else { return nil }
        return withLock { state in
            defer { state.limits.instances = nil }
            return state.limits.instances
        }
    }
}

/// What is unusual for a kind of scope. Nothing is refused because of it: observers are told.
struct ScopeLimits: Sendable {
    var instances: Int?
    var secondsOpen: Double?

    var isEmpty: Bool { instances == nil && secondsOpen == nil }
}

/// What is set and counted for each kind of scope, in the process or in a test.
final class ScopeStatistics: Sendable {
    private struct State {
        var kinds: [OfKind] = []
        /// The services of which was told that they are values.
        var sharedValues: Set<ObjectIdentifier> = []

        /// What belongs to a kind.
        subscript(kind: ScopeKind) -> OfKind {
            get { kinds.indices.contains(kind.number) ? kinds[kind.number] : OfKind() }
            set {
                while kinds.count <= kind.number { kinds.append(OfKind()) }
                kinds[kind.number] = newValue
            }
        }
    }

    private struct OfKind {
        var limits = ScopeLimits()
        var unkept = 0
    }

    private static let process = ScopeStatistics()
    /// Those that belong to the running code.
    private static var current: ScopeStatistics { World.current?.test?.statistics ?? process }

    private let state = Guarded(State())

    static func limits(_ kind: ScopeKind) -> ScopeLimits {
        ProcessWord.scopeLimits.load() == 0 ? ScopeLimits() : current.state.withLock { $0[kind].limits }
    }

    static func setLimits(_ limits: ScopeLimits, _ kind: ScopeKind) {
        current.state.withLock { $0[kind].limits = limits }
        ProcessWord.scopeLimits.store(1)
    }

    static func countUnkept(_ kind: ScopeKind) {
        current.state.withLock { $0[kind].unkept += 1 }
    }

    /// Whether that is news.
    static func hasSharedValue(_ registration: AnyResolverRegistration) -> Bool {
        current.state.withLock { $0.sharedValues.insert(registration.service).inserted }
    }

    static func unkept(_ kind: ScopeKind) -> Int {
        current.state.withLock { $0[kind].unkept }
    }
}

extension ScopeContext {
    /// Sets from when on observers are told of a scope of this kind: `limitExceeded` when it keeps more instances, and `openLongerThan`
    /// when it has been open for longer, each once for a scope.
    ///
    /// Nothing is refused or released. The limits are for scopes that begin from now on, in a test for those of the test; without
    /// any, nothing is counted. The time is looked at when the scope is asked for a service, when it ends, and by `openScopes()`.
    ///
    /// - Parameters:
    ///   - instances: how many instances are not too many; nil for any number.
    ///   - secondsOpen: for how many seconds, by `Resolver.clock`, it may be open; nil for any time.
    public func setLimits(_ kind: ScopeKind, instances: Int? = nil, secondsOpen: Double? = nil) {
        ScopeStatistics.setLimits(ScopeLimits(instances: instances, secondsOpen: secondsOpen), kind)
    }

    /// How many instances of services with `.scoped(to:)` were created and not kept so far, because no scope of the kind was current. In
    /// a test, those of the test. Each one is told as an event as well: see `ScopeEvent.resolvedWithoutScope`.
    public func instancesWithoutScope(_ kind: ScopeKind) -> Int {
        ScopeStatistics.unkept(kind)
    }

    /// Tells observers of a value that was made to be held weakly, once for each type.
    func tellOfSharedValue(_ registration: AnyResolverRegistration) {
        guard ScopeEvent.isObserved, ScopeStatistics.hasSharedValue(registration) else { return }
        ScopeEvent.emit { .sharedValue(service: TypeName.qualified(registration.serviceType)) }
    }
}
