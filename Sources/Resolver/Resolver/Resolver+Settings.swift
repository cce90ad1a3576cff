import CResolverSupport

extension Resolver {
    private struct Settings {
        var defaultScope: ResolverScope = .graph
        var clock = ResolverClock.monotonic
        var decorate: (@Sendable (Any) -> Void)?
        var report: @Sendable (ResolutionError) -> Void = { resolver_write_error($0.description) }
    }

    private static let settings = Guarded(Settings())

    /// The scope of registrations that name none, in resolvers that have no `defaultScope` of their own.
    ///
    /// It is fixed when a registration is made, so change it before the first.
    public static var defaultScope: ResolverScope {
        get { settings.withLock { $0.defaultScope } }
        set {
            settings.replace(\.defaultScope, by: newValue)
            ProcessWord.defaultScope.store(1)
            tellOfDefaultScope {
                let test = World.testNumber
                return LiveResolvers.shared.all
                    .filter { !$0.owner.isScope && $0.owner.test == test && $0.owner.defaultScope == nil }
                    .reduce(0) { $0 + $1.table.all.count }
            }
        }
    }

    /// The scope of registrations on this resolver that name none; nil, as at first, for `Resolver.defaultScope`.
    ///
    /// It is fixed when a registration is made, so change it before the first.
    public var defaultScope: ResolverScope? {
        get { owner.defaultScope }
        set {
            owner.defaultScope = newValue
            if newValue != nil { ProcessWord.defaultScope.store(1) }
            Resolver.tellOfDefaultScope { table.all.count }
        }
    }

    /// - Parameter count: how many services are registered already.
    private static func tellOfDefaultScope(_ count: () -> Int) {
        guard ScopeEvent.isObserved else { return }
        let count = count()
        if count > 0 { ScopeEvent.emit { .defaultScopeChanged(afterRegistrations: count) } }
    }

    /// Until any was set no call looks for one, under a lock that all registering would share.
    var effectiveDefaultScope: ResolverScope {
        ProcessWord.defaultScope.load() == 0 ? .graph : defaultScope ?? Resolver.defaultScope
    }

    /// What times to live are measured with, in resolvers that have no `clock` of their own.
    public static var clock: ResolverClock {
        get { settings.withLock { $0.clock } }
        set {
            settings.replace(\.clock, by: newValue)
            ProcessWord.clock.store(1)
        }
    }

    /// The clock for what is kept in a resolver: its own, or that of the test in which it was made. Until any was set no call looks for
    /// one, under a lock that all times to live would share.
    static func clock(of owner: RegistrationOwner) -> ResolverClock {
        ProcessWord.clock.load() == 0 ? .monotonic : owner.clock ?? owner.world?.main?.clock ?? clock
    }

    /// What the times to live of this resolver's instances are measured with; nil, as at first, for `Resolver.clock`.
    ///
    /// Set it before anything is resolved, and give resolvers that share singletons the same: moments of two clocks cannot
    /// be compared.
    public var clock: ResolverClock? {
        get { owner.clock }
        set {
            owner.clock = newValue
            ProcessWord.clock.store(1)
        }
    }

    /// Called with every service that `resolve` and its kin hand out, whether it was just made or kept. It cannot
    /// replace the service. One for the process; nil by default.
    public static var decorate: (@Sendable (_ service: Any) -> Void)? {
        get { settings.withLock { $0.decorate } }
        set {
            settings.discard { settings in
                let old = settings.decorate
                settings.decorate = newValue
                SlowPathReasons.set(SlowPathReasons.decorate, newValue != nil)
                return old
            }
        }
    }

    static func decorateIfAsked(_ service: @autoclosure () -> Any) {
        guard SlowPathReasons.isSet(SlowPathReasons.decorate), let decorate else { return }
        // It has nothing to do with the call, which may be one that waits.
        let service = service()
        ResolutionCycle.current.withoutPass { decorate(service) }
    }

    /// Called with errors that have no caller to throw to: what an `onRelease` hook throws. By default it writes them to the standard
    /// error. One for the process; it may be called on any thread.
    public static var report: @Sendable (_ error: ResolutionError) -> Void {
        get { settings.withLock { $0.report } }
        set { settings.replace(\.report, by: newValue) }
    }

    /// Writes to the standard error.
    package static func printError(_ text: String) { resolver_write_error(text) }

    /// Reports an error to the test in which it has happened, if it wants to know.
    static func reportInTest(_ error: ResolutionError) {
        (World.current?.test?.report ?? report)(error)
    }
}
