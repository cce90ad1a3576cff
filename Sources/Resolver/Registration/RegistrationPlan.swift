/// How a registration makes its service, and which scope keeps it. Immutable: a modifier publishes a new plan.
final class RegistrationPlan: @unchecked Sendable {
    let factory: ServiceFactory
    let scope: any ResolverScopeType
    /// That of the scope.
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
