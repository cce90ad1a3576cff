/// The time when a scope expires: some time after it began, some time after its last use, or both.
///
///     ScopeContext.shared.setCurrent(.session, id: user.id, expiresAfter: 1800)
///     ScopeContext.shared.setCurrent(.session, id: user.id, expiresAfter: .idle(seconds: 1200))
///     ScopeContext.shared.setCurrent(.session, id: user.id, expiresAfter: .seconds(43_200).orIdle(seconds: 1200))
///
/// A literal is a number of seconds from the beginning of the scope. `Resolver.clock` measures the time. No timer runs: an expired
/// scope ends when code next looks for it.
public struct ScopeExpiry: Hashable, Sendable, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// The time after the beginning, in nanoseconds.
    private var fixed: Int64?
    /// The time after the last use, in nanoseconds.
    private var idle: Int64?

    private init(fixed: Double? = nil, idle: Double? = nil) {
        self.fixed = fixed.map { ResolverClock.nanoseconds(in: $0) }
        self.idle = idle.map { ResolverClock.nanoseconds(in: $0) }
    }

    /// Creates an expiry this many seconds after the scope began.
    public init(integerLiteral seconds: Int) { self.init(fixed: Double(seconds)) }

    /// Creates an expiry this many seconds after the scope began.
    public init(floatLiteral seconds: Double) { self.init(fixed: seconds) }

    /// Returns an expiry this many seconds after the scope began.
    public static func seconds(_ seconds: Double) -> ScopeExpiry { ScopeExpiry(fixed: seconds) }

    /// Returns an expiry this many seconds after the scope was last used.
    ///
    /// Resolving a service of the scope, running code in it, and setting it current again are uses. Queries, such as
    /// `currentID(for:)` and `openScopes()`, are not.
    public static func idle(seconds: Double) -> ScopeExpiry { ScopeExpiry(idle: seconds) }

    /// Returns an expiry at the earlier of two times: that of this expiry, and this many seconds after the scope was last used.
    public func orIdle(seconds: Double) -> ScopeExpiry {
        var both = self
        both.idle = ResolverClock.nanoseconds(in: seconds)
        return both
    }

    /// Returns whether the time is over.
    ///
    /// - Parameters:
    ///   - set: when the expiry was set.
    ///   - used: when the scope was last used.
    func isOver(at now: Int64, set: Int64, used: Int64) -> Bool {
        fixed.map { now &- set >= $0 } ?? false || idle.map { now &- used >= $0 } ?? false
    }
}

@available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
extension ScopeExpiry {
    /// Returns an expiry this long after the scope began.
    public static func after(_ duration: Duration) -> ScopeExpiry { .seconds(duration.inSeconds) }

    /// Returns an expiry this long after the scope was last used: see `idle(seconds:)`.
    public static func idle(_ duration: Duration) -> ScopeExpiry { .idle(seconds: duration.inSeconds) }

    /// Returns an expiry at the earlier of two times: that of this expiry, and this long after the scope was last used.
    public func orIdle(_ duration: Duration) -> ScopeExpiry { orIdle(seconds: duration.inSeconds) }
}

@available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
extension Duration {
    var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}

/// The expiry of a scope, and the limits of its kind. A scope with neither has no timer, unless its kind is bound to the process.
final class ScopeTimer: Guarded<ScopeTimer.State>, @unchecked Sendable {
    struct State {
        var expiry: ScopeExpiry?
        /// The time when the expiry was set.
        var set: Int64
        var used: Int64
        /// The limits that were not exceeded yet.
        var limits: ScopeLimits
        /// The number of instances that may be added before all are counted again.
        var spare = 0
    }

    init(_ expiry: ScopeExpiry?, _ limits: ScopeLimits, now: Int64) {
        super.init(State(expiry: expiry, set: now, used: now, limits: limits))
    }

    /// Whether there is an expiry or a limit of time. If not, the clock, which may be code of the user, is not read.
    var isRunning: Bool { withLock { $0.expiry != nil || $0.limits.secondsOpen != nil } }

    /// Returns whether the time is over. If not, a use prolongs it.
    func isOver(at now: Int64, isUse: Bool) -> Bool {
        withLock { state in
            if state.expiry?.isOver(at: now, set: state.set, used: state.used) == true { return true }
            if isUse { state.used = max(state.used, now) }
            return false
        }
    }

    /// Notes a use, and replaces the expiry unless `expiry` is nil.
    func restart(_ expiry: ScopeExpiry?, now: Int64) {
        withLock { state in
            state.used = max(state.used, now)
            if let expiry { (state.expiry, state.set) = (expiry, now) }
        }
    }

    /// Returns the limit in seconds, once, if the scope has been open for longer.
    func takeExceededTime(openFor seconds: Double) -> Double? {
        withLock { state in
            guard let limit = state.limits.secondsOpen, seconds > limit else { return nil }
            state.limits.secondsOpen = nil
            return limit
        }
    }

    /// Notes that the scope may keep one more instance.
    ///
    /// - Returns: whether the scope may keep more than its limit, so that its instances have to be counted.
    func mayExceedCount() -> Bool {
        if ProcessWord.scopeLimits.load() == 0 { return false }
        return withLock { state in
            guard state.limits.instances != nil else { return false }
            state.spare -= 1
            return state.spare < 0 && ScopeEvent.isObserved
        }
    }

    /// Returns the limit of instances, once, if the scope keeps more.
    func takeExceededCount(_ count: Int) -> Int? {
        withLock { state in
            guard let limit = state.limits.instances else { return nil }
            state.spare = limit - count
            if state.spare >= 0 { return nil }
            state.limits.instances = nil
            return limit
        }
    }
}

/// The limits of a kind of scope. A scope may exceed them: only observers are notified.
struct ScopeLimits: Sendable {
    var instances: Int?
    var secondsOpen: Double?

    var isEmpty: Bool { instances == nil && secondsOpen == nil }
}

extension ScopeContext {
    func limits(_ kind: ScopeKind) -> ScopeLimits {
        if ProcessWord.scopeLimits.load() == 0 { return ScopeLimits() }
        return state.withLock { $0.limits[kind.number] } ?? ScopeLimits()
    }

    /// Sets the limits of a kind of scope. Observers are notified of scopes that exceed them.
    ///
    /// Observers get `limitExceeded` when a scope keeps more instances, and `openLongerThan` when it has been open for longer, each once
    /// for a scope. Nothing is refused or released. The limits apply to scopes that begin later; in a test, only to scopes of the test.
    /// The time is checked when a service of the scope is resolved, when the scope ends, and by `openScopes()`.
    ///
    /// - Parameters:
    ///   - instances: the greatest number of instances within the limit; nil for no limit.
    ///   - secondsOpen: the seconds, by `Resolver.clock`, that a scope may be open; nil for no limit.
    public func setLimits(_ kind: ScopeKind, instances: Int? = nil, secondsOpen: Double? = nil) {
        state.withLock { $0.limits[kind.number] = ScopeLimits(instances: instances, secondsOpen: secondsOpen) }
        ProcessWord.scopeLimits.store(1)
    }

    func countUnkept(_ kind: ScopeKind) { state.withLock { $0.unkept[kind.number, default: 0] += 1 } }

    /// Returns how many instances of services with `.scoped(to:)` were created and not kept, because no scope of the kind was current, or
    /// because the current one was hidden from their creation.
    ///
    /// In a test, counts the instances of that test. Observers get an event for each one, such as `ScopeEvent.resolvedWithoutScope`, or
    /// `captive` for a hidden scope.
    public func instancesWithoutScope(_ kind: ScopeKind) -> Int {
        state.withLock { $0.unkept[kind.number] ?? 0 }
    }

    /// Tells observers of a value that cannot be held weakly, once for each type.
    func reportSharedValue(_ registration: AnyResolverRegistration) {
        guard ScopeEvent.isObserved,
            state.withLock({ $0.sharedValues.insert(registration.serviceKey.service).inserted })
        else { return }
        ScopeEvent.emit { .sharedValue(service: TypeName.qualified(registration.serviceType)) }
    }
}
