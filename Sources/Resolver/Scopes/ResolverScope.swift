/// A scope that creates a new instance for every call, and the superclass of all built-in scopes.
///
/// To write a scope of your own, derive from it or from `ResolverScopeCache`. Add scopes as you add names:
///
///     extension ResolverScope {
///         static let session = ResolverScopeCache()
///     }
///
/// `@unchecked Sendable`: the class has no state that changes. A subclass must guard its own, because any thread may call a scope.
open class ResolverScope: ResolverScopeType, @unchecked Sendable {
    /// Keeps one instance for each `register` call in the source, for the life of the process: a singleton.
    public static let application = ResolverScopeCache(sharing: .definition).permanent()
    /// Another name for `application`.
    public static var singleton: ResolverScopeCache { application }
    /// Keeps one instance until the resolver that registered it ends, or that resolver's `cache` is reset.
    public static let container = ResolverScopeContainer().permanent()
    /// Keeps one instance until the scope is reset or the resolver that registered it ends.
    public static let cached = ResolverScopeCache().permanent()
    /// Keeps one instance during a resolution cycle. This is the default scope.
    public static let graph = ResolverScopeGraph().permanent()
    /// Keeps one instance while another reference holds it.
    public static let shared = ResolverScopeShare().permanent()
    /// Creates a new instance for every call.
    public static let unique = ResolverScope().permanent()

    /// The plan of registrations with this scope and no other settings; nil if the scope may end. Set before other code has the scope.
    private(set) final var sharedPlan: RegistrationPlan?

    /// Creates a scope that keeps no instance.
    public init() {}

    /// Makes registrations of this scope share one plan, which holds the scope.
    @discardableResult
    final func permanent() -> Self {
        sharedPlan = RegistrationPlan(self, isShared: true)
        switch described {
        case .cached(let store): store.object.isPermanent = true
        case .perContext(let context): context.object.store.isPermanent = true
        case .transient, .perCycle, .container, .alias, .custom: break
        }
        return self
    }

    /// Returns the instance for a registration, or nil. Override it to extend the scope.
    ///
    /// On an error it returns nil, and the caller of the resolver gets the error.
    open func resolve<Service>(
        registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
    ) -> Service? {
        ResolutionCycle.current.holdingErrors { try resolve(registration, described, resolver, args) }
    }

    /// Returns the instance for a registration, or throws. Calls `resolve` if the class may override `resolve`.
    open func tryResolve<Service>(
        registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
    ) throws -> Service? {
        let lifetime = lifetime
        if !lifetime.isCustom { return try resolve(registration, lifetime, resolver, args) }
        return try ResolutionCycle.current.asking(self, for: registration) {
            resolve(registration: registration, resolver: resolver, args: args)
        }
    }

    private func resolve<Service>(
        _ registration: ResolverRegistration<Service>, _ lifetime: Lifetime, _ resolver: Resolver, _ args: Any?
    ) throws -> Service? {
        let asked = ResolutionCycle.current.scopeAsked(for: registration)
        let owner = resolver.isolatingOwner(of: registration.owner)
        return try PassedArguments.with(args) { args in
            try ServiceMemory.receive {
                _ = try registration.resolve(
                    by: self, lifetime, askedBy: asked, Call(resolver, args, into: $0), ownedBy: owner)
            }
        }
    }

    /// The lifetime that the class implements.
    var described: Lifetime { .transient }

    /// Whether the scope's class is one of the library. A user's subclass may override `resolve`.
    var isBuiltIn: Bool { type(of: self) == ResolverScope.self }

    /// The lifetime that the library may implement without a call to the scope; `.custom` for a user's subclass.
    final var lifetime: Lifetime { isBuiltIn ? described : .custom }

    /// Returns nil, because this scope keeps no instance.
    open func existing<Service>(registration: ResolverRegistration<Service>, resolver: Resolver) -> Service? { nil }

    /// Does nothing, because this scope keeps no instance.
    open func release(_ registration: AnyResolverRegistration) {}

    /// Does nothing, because this scope keeps no instance.
    open func reset() {}

    /// Resets as `reset()` does, and returns when the release hooks have run.
    nonisolated(nonsending) open func resetAndWait() async { reset() }
}

/// The name that 1.5.1 has for the scope that keeps no instance.
public typealias ResolverScopeUnique = ResolverScope

/// A scope that keeps one instance for each registration, until `reset()`, re-registration, or the end of the resolver.
///
/// Exactly one thread or task creates an instance. Other callers wait for that instance, and only for it. Values are kept as well
/// as objects. If a factory throws or returns nil, nothing is kept, and the next call tries again.
///
/// `.cached` and `.application` are such caches. Create your own with `ResolverScopeCache()`.
open class ResolverScopeCache: ResolverScope, @unchecked Sendable {
    /// The identity of an instance: what it belongs to.
    public struct Sharing: Sendable {
        let isByDefinition: Bool

        /// An instance belongs to its registration. Two resolvers have two instances, and a resolver that ends releases its own.
        public static let registration = Sharing(isByDefinition: false)
        /// An instance belongs to the `register` call in the source, with its type and name.
        ///
        /// Resolvers that run one call share its instance, which outlives them.
        public static let definition = Sharing(isByDefinition: true)
    }

    let store: InstanceStore

    /// Creates a cache in which every registration has its own instance.
    public override init() {
        store = InstanceStore(strength: .strong)
        super.init()
    }

    /// Creates a cache whose instances belong to their registration or to their `register` call, as `sharing` says.
    public init(sharing: Sharing) {
        store = InstanceStore(strength: .strong, isByDefinition: sharing.isByDefinition)
        super.init()
    }

    deinit { store.end() }

    override var described: Lifetime { .cached(Unretained(store)) }
    override var isBuiltIn: Bool { type(of: self) == ResolverScopeCache.self }

    open override func existing<Service>(
        registration: ResolverRegistration<Service>, resolver: Resolver
    ) -> Service? {
        store.existing(of: registration, resolver, ownedBy: resolver.isolatingOwner(of: registration.owner))
    }

    /// Releases every instance, the youngest first.
    ///
    /// When this function returns, the cache holds none of these instances. An instance that is being created meanwhile goes to its
    /// callers and is not kept. Instances that are created later stay. Instances that isolating resolvers keep stay too.
    open override func reset() { store.reset() }

    /// Releases every instance as `reset()` does, and returns when the release hooks have run, one after the other.
    ///
    /// Instances that are created meanwhile stay. For a subclass, which may override `reset()`, it calls `reset()` at the end.
    nonisolated(nonsending) open override func resetAndWait() async {
        await InstanceCell.emptyAndWait(store.cellsToReset)
        if !isBuiltIn { ResolutionCycle.current.telling(store.number) { reset() } }
    }

    /// Releases what is kept for one registration, unless it belongs to a definition.
    ///
    /// A scope of your own that keeps its instances in a cache calls this function to release one. Instances that isolating resolvers
    /// keep for the registration stay.
    open override func release(_ registration: AnyResolverRegistration) { store.empty(registration) }
}

/// A scope that keeps instances in the `cache` of the resolver that registered the service, whichever resolver is called.
///
/// Its own `reset()` does nothing: use `reset()` of the `cache`, or `reset(scope: .container)` of the resolver.
public final class ResolverScopeContainer: ResolverScope, @unchecked Sendable {
    public override init() {}

    override var described: Lifetime { .container }
    override var isBuiltIn: Bool { true }

    public override func existing<Service>(
        registration: ResolverRegistration<Service>, resolver: Resolver
    ) -> Service? {
        cache(of: registration)?.existing(registration: registration, resolver: resolver)
    }

    public override func release(_ registration: AnyResolverRegistration) {
        cache(of: registration)?.release(registration)
    }

    /// Returns the scope that keeps the instances; nil if that is this scope, or a scope that asks this one again and again.
    private func cache(of registration: AnyResolverRegistration) -> ResolverScope? {
        let cache = registration.owner.cache
        return cache === self || ResolutionCycle.current.hasLittleStack ? nil : cache
    }
}

/// A scope that keeps objects during one resolution cycle: all creations of one outermost call share them. The default scope.
///
/// A cycle begins when an outermost call creates an instance, and ends when that call returns. It belongs to its thread, or to a task
/// and its child tasks. No other code shares its instances. Values are created again each time.
/// An object that depends on a scope is not shared with creations from which the scope is hidden.
public final class ResolverScopeGraph: ResolverScope, @unchecked Sendable {
    public override init() {}

    override var described: Lifetime { .perCycle }
    override var isBuiltIn: Bool { true }

    public override func existing<Service>(
        registration: ResolverRegistration<Service>, resolver: Resolver
    ) -> Service? {
        // An isolating resolver has its own instances, wherever the search passes it.
        let owner = resolver.isolatingOwner(of: registration.owner)
        let identity = registration.identity(through: resolver, ownedBy: owner)
        let cycle = ResolutionCycle.current
        return (cycle.object(identity, of: registration) ?? cycle.object(identity, in: TaskFrame.current))
            .flatMap(ResolverRegistration<Service>.unpackIfAllowed)
    }
}

/// A scope that keeps an object weakly: while another reference holds it. Values are not shared, because they cannot be held weakly.
public final class ResolverScopeShare: ResolverScope, @unchecked Sendable {
    let store = InstanceStore(strength: .weak)

    public override init() {}

    deinit { store.end() }

    override var described: Lifetime { .cached(Unretained(store)) }
    override var isBuiltIn: Bool { true }

    public override func existing<Service>(
        registration: ResolverRegistration<Service>, resolver: Resolver
    ) -> Service? {
        store.existing(of: registration, resolver, ownedBy: resolver.isolatingOwner(of: registration.owner))
    }

    /// Removes the reference to the object of one registration.
    public override func release(_ registration: AnyResolverRegistration) { store.empty(registration) }

    /// Removes the references to all objects. The next call creates a new one, even if the old one is still held.
    public override func reset() { store.reset() }
}
