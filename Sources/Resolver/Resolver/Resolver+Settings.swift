import CResolverSupport

extension Resolver {
    private struct Settings {
        var defaultScope: ResolverScope = .graph
        var clock = ResolverClock.monotonic
        var decorate: (@Sendable (Any) -> Void)?
        var report: @Sendable (ResolutionError) -> Void = { resolver_write_error($0.description) }
    }

    private static let settings = Guarded(Settings())

    /// The scope of registrations that set no scope, in resolvers without their own `defaultScope`.
    ///
    /// `register` reads it, so set it before the first registration.
    public static var defaultScope: ResolverScope {
        get { settings.withLock { $0.defaultScope } }
        set {
            settings.replace(\.defaultScope, by: newValue)
            ProcessWord.defaultScope.store(1)
            reportDefaultScope {
                let test = World.testNumber
                return LiveResolvers.shared.all
                    .filter { !$0.owner.isScope && $0.owner.test == test && $0.owner.defaultScope == nil }
                    .reduce(0) { $0 + $1.table.all.count }
            }
        }
    }

    /// The scope of this resolver's registrations that set no scope; nil, the default, for `Resolver.defaultScope`.
    ///
    /// `register` reads it, so set it before the first registration.
    public var defaultScope: ResolverScope? {
        get { owner.defaultScope }
        set {
            owner.defaultScope = newValue
            if newValue != nil { ProcessWord.defaultScope.store(1) }
            Resolver.reportDefaultScope { table.all.count }
        }
    }

    /// - Parameter count: the number of services that are registered already.
    private static func reportDefaultScope(_ count: () -> Int) {
        guard ScopeEvent.isObserved else { return }
        let count = count()
        if count > 0 { ScopeEvent.emit { .defaultScopeChanged(afterRegistrations: count) } }
    }

    /// The current default scope. Until one is set, no call takes the lock, which all registrations would share.
    var effectiveDefaultScope: ResolverScope {
        ProcessWord.defaultScope.load() == 0 ? .graph : defaultScope ?? Resolver.defaultScope
    }

    /// The clock that measures times to live, in resolvers without their own `clock`.
    public static var clock: ResolverClock {
        get { settings.withLock { $0.clock } }
        set {
            settings.replace(\.clock, by: newValue)
            ProcessWord.clock.store(1)
        }
    }

    /// Returns the clock for the instances of an owner: its own, that of its test, or the process's.
    ///
    /// Until a clock is set, no call takes the lock, which all times to live would share.
    static func clock(of owner: RegistrationOwner) -> ResolverClock {
        ProcessWord.clock.load() == 0 ? .monotonic : owner.clock ?? owner.world?.main?.clock ?? clock
    }

    /// The clock that measures the times to live of this resolver's instances; nil, the default, for `Resolver.clock`.
    ///
    /// Set it before the first call. Give resolvers that share singletons the same clock: times of two clocks cannot be
    /// compared.
    public var clock: ResolverClock? {
        get { owner.clock }
        set {
            owner.clock = newValue
            if newValue != nil { ProcessWord.clock.store(1) }
        }
    }

    /// A closure that is called with every service that a resolver returns, whether new or kept.
    ///
    /// It cannot replace the service. The process has one such closure; nil by default.
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

    @inline(__always)
    static func decorateIfAsked(_ memory: ServiceMemory, of registration: AnyResolverRegistration) throws {
        if SlowPathReasons.isSet(SlowPathReasons.decorate) { try decorate(memory, of: registration) }
    }

    @inline(never)
    private static func decorate(_ memory: ServiceMemory, of registration: AnyResolverRegistration) throws {
        let cycle = ResolutionCycle.current
        guard let decorate, !cycle.hasPendingWork else { return }
        // `decorate` may resolve a kept service, and is then called for that service. No factory runs in between to check the stack.
        try cycle.requireStack(for: registration)
        let service = registration.value(memory)
        // `decorate` is not part of the call, which may be an asynchronous one.
        cycle.withoutPass { decorate(service) }
    }

    /// A closure that is called with errors that have no caller to throw to, such as those of `onRelease` hooks.
    ///
    /// By default it writes them to the standard error. The process has one such closure, and any thread may call it.
    public static var report: @Sendable (_ error: ResolutionError) -> Void {
        get { settings.withLock { $0.report } }
        set { settings.replace(\.report, by: newValue) }
    }

    package static func printError(_ text: String) { resolver_write_error(text) }

    /// Reports an error to the current test, if it has a report function, or to `report`.
    static func reportInTest(_ error: ResolutionError) { (World.current?.test?.report ?? report)(error) }
}
