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
