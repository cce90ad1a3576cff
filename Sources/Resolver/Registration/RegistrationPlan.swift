/// How a registration makes its service, and which scope keeps it. Immutable: a modifier publishes a new plan.
final class RegistrationPlan: @unchecked Sendable {
    let factory: ServiceFactory
    let scope: any ResolverScopeType
    /// The lifetime that the scope describes.
    let lifetime: Lifetime
    /// Whether calling `factory` is all there is to do.
    let isPlain: Bool
    /// See `RegistrationSettings.isUnconditional`.
    let isUnconditional: Bool
    /// See `RegistrationSettings.hasScopeOverride`.
    let hasScopeOverride: Bool
    private let modified: ModifiedSettings?

    /// The plan this one replaced: a thread that read it a moment ago may still be using it. Set before this one is published,
    /// and not touched after.
    var previous: RegistrationPlan?

    /// What modifiers have said. Most registrations have none but `.scope(_:)`, and so no object for the others.
    var settings: RegistrationSettings { modified?.settings ?? RegistrationSettings() }
    var releaseHooks: ReleaseHooks { modified?.settings.releaseHooks ?? ReleaseHooks() }
    var timeToLive: TimeToLive? { modified?.settings.timeToLive }
    var isAsync: Bool { modified?.settings.asyncFactory != nil }

    /// Settings as an object, which is quicker to hand on than all that is in it.
    final class ModifiedSettings: Sendable {
        let settings: RegistrationSettings

        init(_ settings: RegistrationSettings) {
            self.settings = settings
        }

        /// Those of a factory that belongs to an actor, if it does.
        static func isolated(to actor: (any Actor)?) -> ModifiedSettings? {
            actor.map { ModifiedSettings(RegistrationSettings(isolations: [$0])) }
        }
    }

    init(_ factory: @escaping ServiceFactory, _ scope: any ResolverScopeType, _ modified: ModifiedSettings? = nil) {
        self.factory = factory
        self.scope = scope
        self.modified = modified
        lifetime = Lifetime(of: scope)
        isPlain = modified?.settings.isPlain ?? true
        isUnconditional = modified?.settings.isUnconditional ?? true
        hasScopeOverride = modified?.settings.hasScopeOverride ?? false
    }

    func with(scope: any ResolverScopeType) -> RegistrationPlan {
        RegistrationPlan(factory, scope, modified)
    }

    func with(_ change: (inout RegistrationSettings) -> Void) -> RegistrationPlan {
        with(wrapped: factory, change)
    }

    func with(
        wrapped factory: @escaping ServiceFactory, _ change: (inout RegistrationSettings) -> Void
    ) -> RegistrationPlan {
        var settings = settings
        change(&settings)
        return RegistrationPlan(factory, scope, ModifiedSettings(settings))
    }
}

/// What modifiers have said about a registration, besides its scope.
struct RegistrationSettings: Sendable {
    /// Completes what lies in the memory.
    typealias Completion = @Sendable (Resolver, PassedArguments, ServiceMemory) throws -> Void

    /// Run in order after the factory, when the cycle already knows the new instance.
    var completions: [Completion] = []
    /// The actors of the factory and of the blocks that complete what it made; the caller must be on all of them.
    var isolations: [any Actor] = []
    /// nil for a synchronous factory.
    var asyncFactory: AsyncFactory?
    var timeToLive: TimeToLive?
    /// Makes the key that an instance is kept by; nil where all calls share one instance.
    var argumentKey: (@Sendable (_ argument: Any) throws -> ArgumentKey)?
    /// Whether the service was ever registered for one scope of a context alone, which comes before.
    var hasScopeOverride = false
    /// Run when a keeper lets go of an instance.
    var releaseHooks = ReleaseHooks()
    /// What `verify()` is told. Nothing else reads it.
    var wiring: DeclaredWiring?

    /// Whether calling the factory is all there is to do.
    var isPlain: Bool { completions.isEmpty && isolations.isEmpty }

    /// Whether a kept instance answers every call until it is let go of, whatever the time and the arguments.
    var isUnconditional: Bool { timeToLive == nil && argumentKey == nil && !hasScopeOverride }
}

/// How long instances live, and who shares them, where the library sees to it itself. A scope describes one.
///
/// It holds none of the objects that it names: the scope does, and who has the lifetime of a scope has the scope.
enum Lifetime: Sendable {
    /// A new instance for each call.
    case transient
    /// One for each resolution cycle.
    case perCycle
    /// One until the store lets go of it.
    case cached(Unretained<InstanceStore>)
    /// One until the `cache` of the registration's resolver lets go of it.
    case container
    /// One for each open scope of a kind.
    case perContext(Unretained<PerContextScope>)
    /// That of another registration, for which this one stands.
    case alias(Unretained<AliasScope>)
    /// As a scope of the user says, which is asked each time.
    case custom

    init(of scope: any ResolverScopeType) {
        self = (scope as? ResolverScope)?.lifetime ?? .custom
    }

    /// The scope, if it keeps for scopes of contexts.
    var context: PerContextScope? {
        if case .perContext(let scope) = self { scope.object } else { nil }
    }

    var isTransient: Bool { if case .transient = self { true } else { false } }
    var isPerCycle: Bool { if case .perCycle = self { true } else { false } }
    var isCustom: Bool { if case .custom = self { true } else { false } }
}

extension AnyResolverRegistration {
    /// The plan of the moment.
    final var plan: RegistrationPlan {
        planOfTheMoment.object
    }

    /// The plan of the moment, not retained: it stays as long as the registration does.
    @inline(__always)
    final var planOfTheMoment: Unretained<RegistrationPlan> { publishedPlan.present }

    /// Calls `body` with the plan of the moment.
    @inline(__always)
    final func withPlan<Result>(_ body: (RegistrationPlan) throws -> Result) rethrows -> Result {
        try planOfTheMoment.use(body)
    }

    final func replacePlan(_ change: (RegistrationPlan) -> RegistrationPlan) {
        owner.modify {
            let old = plan
            let new = change(old)
            new.previous = old
            publishedPlan.exchange(new)
        }
    }

    final var scope: any ResolverScopeType { plan.scope }

    final func setScope(_ scope: any ResolverScopeType) {
        let old = plan
        replacePlan { $0.with(scope: scope) }
        releaseInstances(includingShared: false)
        tellScope(old)
    }

    /// Whether a kept instance answers every call until it is let go of.
    final var isUnconditional: Bool { withPlan { $0.isUnconditional } }

    /// From now on, asks the current scopes first.
    ///
    /// - Returns: what the caller releases outside of every lock.
    final func checkScopeOverrides() -> FastSlots.Invalidated? {
        if !plan.hasScopeOverride { replacePlan { $0.with { $0.hasScopeOverride = true } } }
        // Another thread that has done so may not have come here yet.
        return ownCell?.takeSlots()
    }
}
