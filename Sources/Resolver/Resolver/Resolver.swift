import CResolverSupport

/// A container of registrations that resolves services.
///
///     Resolver.register { NetworkClient() as API }.scope(.application)
///     let api: API = Resolver.resolve()
///
/// Every function exists as an instance method and as a static function: static `register` uses `main`, static `resolve` uses
/// `root`. All functions may be called from any thread, and no lock is held while your code runs.
public final class Resolver: Sendable {
    let children: ChildList
    /// The registrations. They are released after the children, together with the captures of the factories.
    let table = RegistrationTable()
    let owner: RegistrationOwner
    /// A copy of the owner's value, for quick access.
    let isolation: UInt64
    /// The index in `LiveResolvers`; nil for the resolver of a scope.
    private let listing: Int?

    var isIsolating: Bool { isolation != 0 }

    /// Creates an empty resolver.
    ///
    /// - Parameter child: searched, with all resolvers below it, when this resolver has no registration.
    public convenience init(child: Resolver? = nil, fileID: StaticString = #fileID, line: UInt = #line) {
        self.init(child, isIsolating: false, SourceLocation(fileID: fileID, line: line))
    }

    /// Creates a resolver that finds the registrations of `parent` and keeps instances of its own.
    ///
    /// Like any resolver with a child, it is searched before `parent`, so its own registrations take precedence. It keeps
    /// every instance that is created through it, in any scope, including singletons and custom caches. `parent` never
    /// returns these instances, and this resolver never returns instances of `parent`. Its instances are released with this
    /// resolver, or by its `reset(scope:)`; a scope's `reset()` does not release them. The exception is a scope that keeps
    /// instances in its own table, and not in a `ResolverScopeCache`.
    ///
    /// Factories must use the resolver that they receive: `Resolver.resolve()` and property wrappers use `Resolver.root`.
    public convenience init(isolating parent: Resolver, fileID: StaticString = #fileID, line: UInt = #line) {
        self.init(parent, isIsolating: true, SourceLocation(fileID: fileID, line: line))
    }

    private convenience init(_ child: Resolver?, isIsolating: Bool, _ location: SourceLocation) {
        self.init(child, owner: RegistrationOwner(location: location, isIsolating: isIsolating))
    }

    /// Creates a resolver whose instances belong to `owner`.
    init(_ child: Resolver? = nil, owner: RegistrationOwner) {
        children = ChildList(child)
        self.owner = owner
        isolation = owner.isolation
        listing = owner.isScope ? nil : LiveResolvers.shared.add(table, owner)
        owner.table = table
    }

    /// Releases the instances explicitly, because a kept instance or other code may still hold a registration.
    deinit {
        owner.table = nil
        let release = release(includingShared: false)
        release.run()
        for registration in release.registrations { registration.end() }
        if let listing { LiveResolvers.shared.remove(owner, at: listing) }
    }

    /// Creates an empty resolver with a child. Replaced by `init(child:)`.
    @available(swift, deprecated: 5.0, message: "Please use Resolver(child:).")
    public convenience init(parent: Resolver) { self.init(child: parent) }

    /// Adds a resolver that is searched after this one and its earlier children.
    ///
    /// Children are retained and never removed. Resolvers may be children of each other: a search visits each once, but they
    /// then retain each other.
    public func add(child: Resolver) { children.append(child) }

    /// The scope in which `.container` keeps this resolver's instances.
    ///
    /// After another scope is assigned, this resolver no longer returns the instances in the old one.
    public var cache: ResolverScope {
        get { owner.cache }
        set {
            owner.cache = newValue
            // The old scope still keeps its instances, but no slot may serve them: see `isServed(from:)`.
            for registration in table.all { registration.invalidateFastSlots() }
        }
    }
}

// MARK: Settings

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
