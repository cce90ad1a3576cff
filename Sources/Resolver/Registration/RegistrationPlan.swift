/// How a registration makes its service, and who keeps it. Immutable: a modifier publishes a new plan.
final class RegistrationPlan: @unchecked Sendable {
    /// Completes what lies in the memory.
    typealias Completion = @Sendable (Resolver, PassedArguments, ServiceMemory) throws -> Void
    /// Throws unless what the asynchronous factory of a registration makes has been made before.
    typealias Preparation = @Sendable (AnyResolverRegistration, Resolver, PassedArguments) throws -> Void

    let factory: ServiceFactory
    /// Run in order after the factory, when the cycle already knows the new instance.
    let completions: [Completion]
    /// The actors of the factory and of the blocks that complete what it made; the caller must be on all of them.
    let isolations: [any Actor]
    /// nil for a synchronous factory.
    let preparation: Preparation?
    /// Whether calling `factory` is all there is to do.
    let isPlain: Bool

    let settings: RegistrationSettings
    /// That of the scope.
    let lifetime: Lifetime
    /// See `RegistrationSettings.isUnconditional`.
    let isUnconditional: Bool

    /// The plan this one replaced: a thread that read it a moment ago may still be using it. Set before this one is published,
    /// and not touched after.
    var previous: RegistrationPlan?
    var isAsync: Bool { preparation != nil }

    init(
        factory: @escaping ServiceFactory, completions: [Completion] = [], settings: RegistrationSettings,
        isolations: [any Actor] = [], preparation: Preparation? = nil
    ) {
        self.factory = factory
        self.completions = completions
        self.isolations = isolations
        self.preparation = preparation
        isPlain = completions.isEmpty && isolations.isEmpty
        self.settings = settings
        lifetime = Lifetime(of: settings.scope)
        isUnconditional = settings.isUnconditional
    }

    func with(_ change: (inout RegistrationSettings) -> Void) -> RegistrationPlan {
        var settings = settings
        change(&settings)
        return RegistrationPlan(
            factory: factory, completions: completions, settings: settings, isolations: isolations,
            preparation: preparation)
    }

    func with(completion: @escaping Completion, isolation: (any Actor)?) -> RegistrationPlan {
        RegistrationPlan(
            factory: factory, completions: completions + [completion], settings: settings,
            isolations: isolations + (isolation.map { [$0] } ?? []), preparation: preparation)
    }

    /// What was completed so far becomes part of the factory that is wrapped.
    func with(wrapped factory: @escaping ServiceFactory) -> RegistrationPlan {
        RegistrationPlan(factory: factory, settings: settings, isolations: isolations, preparation: preparation)
    }
}
