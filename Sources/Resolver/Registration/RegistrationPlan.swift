/// The immutable plan of a registration: its scope and settings. Each modifier publishes a new plan.
///
/// All registrations without other settings share the plan of a scope that never ends.
final class RegistrationPlan: @unchecked Sendable {
    /// Replaces the factory of the registration, unless it is nil.
    let factory: ServiceFactory?
    let scope: any ResolverScopeType
    /// The lifetime that the scope describes.
    let lifetime: Lifetime
    /// Whether many registrations may have this plan.
    let isShared: Bool
    /// Whether a call of the registration's factory is all that creates the service.
    let isPlain: Bool
    let shortcut: Shortcut
    /// See `RegistrationSettings.isUnconditional`.
    let isUnconditional: Bool
    /// See `RegistrationSettings.hasScopeOverride`.
    let hasScopeOverride: Bool
    private let modified: ModifiedSettings?

    /// How a call creates the service, if one comparison can tell.
    enum Shortcut {
        /// The factory alone creates the service.
        case plain
        /// The factory alone creates the service, and the cycle shares it.
        case plainInCycle
        case none
    }

    /// The plan that this plan replaced, kept because a thread may still use it; nil if there is none, or if it is shared. Set
    /// before this plan is published, and constant from then on.
    var previous: RegistrationPlan?

    /// The settings of modifiers. Most registrations have only `.scope(_:)`, and allocate no object for settings.
    var settings: RegistrationSettings { modified?.settings ?? RegistrationSettings() }
    var releaseHooks: ReleaseHooks { modified?.settings.releaseHooks ?? ReleaseHooks() }
    var timeToLive: TimeToLive? { modified?.settings.timeToLive }
    var argumentKey: RegistrationSettings.KeyOfArgument? { modified?.settings.argumentKey }
    var isAsync: Bool { modified?.settings.asyncFactory != nil }
    /// Whether an instance can be kept without a cell: it has no hooks, no time to live and no argument key, no scope has registered the
    /// service for itself, and a thread creates it.
    var needsNoCell: Bool {
        isUnconditional
            && modified.map { $0.settings.asyncFactory == nil && $0.settings.releaseHooks.hooks.isEmpty } ?? true
    }

    /// Settings as an object, which is cheaper to pass on than its fields.
    final class ModifiedSettings: Sendable {
        let settings: RegistrationSettings

        init(_ settings: RegistrationSettings) { self.settings = settings }

        /// Returns settings with the actor of a factory, or nil if the factory is not isolated.
        static func isolated(to actor: (any Actor)?) -> ModifiedSettings? {
            actor.map { ModifiedSettings(RegistrationSettings(isolations: [$0])) }
        }
    }

    init(
        _ scope: any ResolverScopeType, _ modified: ModifiedSettings? = nil, factory: ServiceFactory? = nil,
        isShared: Bool = false
    ) {
        self.factory = factory
        self.scope = scope
        self.modified = modified
        self.isShared = isShared
        lifetime = Lifetime(of: scope)
        isPlain = factory == nil && modified?.settings.isPlain ?? true
        isUnconditional = modified?.settings.isUnconditional ?? true
        hasScopeOverride = modified?.settings.hasScopeOverride ?? false
        shortcut =
            if !isPlain || hasScopeOverride { .none } else {
                switch lifetime {
                case .transient: .plain
                case .perCycle: .plainInCycle
                case .cached, .container, .perContext, .alias, .custom: .none
                }
            }
    }

    /// Returns the plan of a new registration.
    static func of(_ scope: ResolverScope, _ modified: ModifiedSettings?) -> RegistrationPlan {
        (modified == nil ? scope.sharedPlan : nil) ?? RegistrationPlan(scope, modified)
    }

    func with(scope: any ResolverScopeType) -> RegistrationPlan {
        // A shared plan could not keep this one alive.
        if isShared, let shared = (scope as? ResolverScope)?.sharedPlan { return shared }
        return RegistrationPlan(scope, modified, factory: factory)
    }

    @inline(never)
    func with(factory: ServiceFactory?, _ change: (inout RegistrationSettings) -> Void) -> RegistrationPlan {
        var settings = settings
        change(&settings)
        return RegistrationPlan(scope, ModifiedSettings(settings), factory: factory)
    }
}

/// The settings of modifiers, other than the scope.
struct RegistrationSettings: Sendable {
    typealias Completion = @Sendable (Call) throws -> Void
    typealias KeyOfArgument = @Sendable (_ argument: Any) throws -> ArgumentKey

    /// Run in order after the factory, when the new instance has joined the cycle.
    var completions: [Completion] = []
    /// The actors of the factory and of the completions, each once. The caller must be on all of them.
    var isolations: [any Actor] = []
    /// nil for a synchronous factory.
    var asyncFactory: AsyncFactory?
    var timeToLive: TimeToLive?
    /// Returns the key under which an instance is kept; nil if all calls share one instance.
    var argumentKey: KeyOfArgument?
    /// Whether a scope of a context ever registered the service for itself. Such a registration takes precedence.
    var hasScopeOverride = false
    /// Run when an instance is released.
    var releaseHooks = ReleaseHooks()
    /// The declared wiring. Only `verify()` reads it.
    var wiring: DeclaredWiring?

    /// Whether a call of the factory is all that creates the service.
    var isPlain: Bool { completions.isEmpty && isolations.isEmpty }

    /// Whether a kept instance serves every call until it is released, at any time and with any arguments.
    var isUnconditional: Bool { timeToLive == nil && argumentKey == nil && !hasScopeOverride }
}

/// The time that instances live, and the calls that share them, for the built-in scopes. A scope describes one lifetime.
///
/// It does not retain the objects that it names: the scope does, and the code that reads a lifetime holds the scope.
enum Lifetime: Sendable {
    /// A new instance for each call.
    case transient
    /// One instance for each resolution cycle.
    case perCycle
    /// One instance until the store releases it.
    case cached(Unretained<InstanceStore>)
    /// One instance until the `cache` of the registration's resolver releases it.
    case container
    /// One instance for each open scope of a kind.
    case perContext(Unretained<PerContextScope>)
    /// The instance of another registration, for which this one is an alias.
    case alias(Unretained<AliasScope>)
    /// The instance that a custom scope returns. The scope is asked each time.
    case custom

    init(of scope: any ResolverScopeType) { self = (scope as? ResolverScope)?.lifetime ?? .custom }

    /// The scope, if it keeps instances in scopes of contexts.
    var context: PerContextScope? { if case .perContext(let scope) = self { scope.object } else { nil } }

    /// Whether cells keep the instances. Otherwise the resolution cycle may keep them, in the order of their creation.
    var isInCells: Bool {
        switch self {
        case .cached, .perContext: true
        case .transient, .perCycle, .container, .alias, .custom: false
        }
    }

    var isTransient: Bool { if case .transient = self { true } else { false } }
    var isPerCycle: Bool { if case .perCycle = self { true } else { false } }
    var isCustom: Bool { if case .custom = self { true } else { false } }
}

extension AnyResolverRegistration {
    final var plan: RegistrationPlan { currentPlan.object }

    /// The current plan, not retained: the registration keeps it.
    @inline(__always)
    final var currentPlan: Unretained<RegistrationPlan> { publishedPlan.present }

    @inline(__always)
    final func withPlan<Result>(_ body: (RegistrationPlan) throws -> Result) rethrows -> Result {
        try currentPlan.use(body)
    }

    /// - Returns: the old plan.
    @inline(never) @discardableResult
    final func replacePlan(_ change: (RegistrationPlan) -> RegistrationPlan) -> RegistrationPlan {
        // No other thread replaces a plan meanwhile.
        owner.withLock { _ in
            let old = plan
            let new = change(old)
            if !old.isShared { new.previous = old }
            publishedPlan.exchange(new)
            return old
        }
    }

    /// Publishes a plan with other settings.
    final func changeSettings(_ change: (inout RegistrationSettings) -> Void) {
        replacePlan { $0.with(factory: $0.factory, change) }
    }

    final var scope: any ResolverScopeType { plan.scope }

    /// Returns the lifetime of the scope that keeps the instances of a plan: for `.container`, the cache of the resolver.
    final func keepingLifetime(_ plan: RegistrationPlan) -> Lifetime {
        Lifetime(of: owner.effectiveScope(of: plan.scope))
    }

    final func setScope(_ scope: any ResolverScopeType) {
        let old = replacePlan { $0.with(scope: scope) }
        releaseInstances(includingShared: false)
        reportScope(old)
    }

    /// Tells a custom scope to release this registration's instances, after the cells were emptied.
    final func reportScope(_ plan: RegistrationPlan) {
        var scope = plan.lifetime.isCustom ? plan.scope : nil
        if case .container = plan.lifetime, let cache = owner.usedCache, cache.lifetime.isCustom { scope = cache }
        if let scope { ResolutionCycle.current.telling(number) { scope.release(self) } }
    }

    /// Whether a kept instance serves every call until it is released.
    final var isUnconditional: Bool { withPlan { $0.isUnconditional } }

    /// Makes calls look into the current scopes of contexts first.
    ///
    /// - Returns: the slots' content, which the caller releases outside of every lock.
    final func checkScopeOverrides() -> FastSlots.Invalidated? {
        if !plan.hasScopeOverride { changeSettings { $0.hasScopeOverride = true } }
        // Done even if the flag is set, because the thread that set it may not have reached this line yet.
        return ownCell?.takeSlots()
    }
}
