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

    let lifetime: RegistrationLifetime
    /// What the scope would do if it were asked.
    let scopeShortcut: ScopeShortcut
    /// The same, unless what the current scopes of contexts have registered comes before.
    let shortcut: ScopeShortcut
    /// The scope, if it is one of the library's own classes.
    let builtInScope: ResolverScope?
    /// Where the instances are kept, if the scope is one that does nothing else.
    let store: InstanceStore?
    /// The scope, if it keeps for scopes of contexts.
    let context: PerContextScope?
    /// See `RegistrationLifetime.isUnconditional`.
    let isUnconditional: Bool

    /// The plan this one replaced: a thread that read it a moment ago may still be using it. Set before this one is published,
    /// and not touched after.
    var previous: RegistrationPlan?
    var isAsync: Bool { preparation != nil }

    init(
        factory: @escaping ServiceFactory, completions: [Completion] = [], lifetime: RegistrationLifetime,
        isolations: [any Actor] = [], preparation: Preparation? = nil
    ) {
        self.factory = factory
        self.completions = completions
        self.isolations = isolations
        self.preparation = preparation
        isPlain = completions.isEmpty && isolations.isEmpty
        self.lifetime = lifetime
        scopeShortcut = ScopeShortcut(for: lifetime)
        shortcut = lifetime.hasScopeOverride ? .overridden : scopeShortcut
        builtInScope = (lifetime.scope as? ResolverScope).flatMap { $0.isBuiltIn ? $0 : nil }
        store = ScopeShortcut.store(of: lifetime.scope)
        context = builtInScope as? PerContextScope
        isUnconditional = lifetime.isUnconditional
    }

    func with(_ change: (inout RegistrationLifetime) -> Void) -> RegistrationPlan {
        var lifetime = lifetime
        change(&lifetime)
        return RegistrationPlan(
            factory: factory, completions: completions, lifetime: lifetime, isolations: isolations,
            preparation: preparation)
    }

    func with(completion: @escaping Completion, isolation: (any Actor)?) -> RegistrationPlan {
        RegistrationPlan(
            factory: factory, completions: completions + [completion], lifetime: lifetime,
            isolations: isolations + (isolation.map { [$0] } ?? []), preparation: preparation)
    }

    /// What was completed so far becomes part of the factory that is wrapped.
    func with(wrapped factory: @escaping ServiceFactory) -> RegistrationPlan {
        RegistrationPlan(factory: factory, lifetime: lifetime, isolations: isolations, preparation: preparation)
    }
}
