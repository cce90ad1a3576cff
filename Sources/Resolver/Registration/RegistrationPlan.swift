/// How a registration makes its service, and who keeps it. Immutable: a modifier publishes a new plan.
@usableFromInline
class AnyRegistrationPlan: @unchecked Sendable {
    let lifetime: RegistrationLifetime
    /// What the scope would do if it were asked.
    @usableFromInline let scopeShortcut: ScopeShortcut
    /// The same, unless what the current scopes of contexts have registered comes before.
    @usableFromInline let shortcut: ScopeShortcut
    /// Where the instances are kept, if the scope is one that does nothing else.
    let store: InstanceStore?
    /// The scope, if it keeps for scopes of contexts.
    let context: PerContextScope?
    /// See `RegistrationLifetime.isUnconditional`.
    let isUnconditional: Bool
    /// Throws unless what the asynchronous factory of a registration makes has been made before. nil for a synchronous one.
    typealias Preparation = @Sendable (AnyResolverRegistration, Resolver, PassedArguments) throws -> Void
    let preparation: Preparation?
    /// The plan this one replaced: a thread that read it a moment ago may still be using it. Set before this one is published,
    /// and not touched after.
    var previous: AnyRegistrationPlan?
    var isAsync: Bool { preparation != nil }

    init(lifetime: RegistrationLifetime, preparation: Preparation?) {
        self.lifetime = lifetime
        self.preparation = preparation
        scopeShortcut = ScopeShortcut(for: lifetime)
        shortcut = lifetime.hasScopeOverride ? .overridden : scopeShortcut
        store = ScopeShortcut.store(of: lifetime.scope)
        context = lifetime.scope as? PerContextScope
        isUnconditional = lifetime.isUnconditional
    }
}

/// The part that knows the type of the service.
@usableFromInline
final class RegistrationPlan<Service>: AnyRegistrationPlan, @unchecked Sendable {
    @usableFromInline typealias Factory = RegistrationFactory<Service>
    @usableFromInline typealias Completion =
        @Sendable (_ resolver: Resolver, _ service: Service, _ args: PassedArguments) throws -> Void

    @usableFromInline let factory: Factory
    /// Run in order after the factory, when the cycle already knows the new instance. nil where there are none: an empty
    /// array of them would look up its type for each registration.
    @usableFromInline let completions: [Completion]?
    /// The actors of the factory and of the blocks that complete what it made; the caller must be on all of them.
    @usableFromInline let isolations: [any Actor]
    /// Whether calling `factory` is all there is to do.
    @usableFromInline let isPlain: Bool

    init(
        factory: Factory, completions: [Completion]? = nil, lifetime: RegistrationLifetime,
        isolations: [any Actor] = [], preparation: Preparation? = nil
    ) {
        self.factory = factory
        self.completions = completions
        self.isolations = isolations
        self.isPlain = completions == nil && isolations.isEmpty
        super.init(lifetime: lifetime, preparation: preparation)
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
            factory: factory, completions: (completions ?? []) + [completion], lifetime: lifetime,
            isolations: isolations + (isolation.map { [$0] } ?? []), preparation: preparation)
    }

    /// What was completed so far becomes part of the factory that is wrapped.
    func with(wrapped factory: Factory) -> RegistrationPlan {
        RegistrationPlan(
            factory: factory, lifetime: lifetime, isolations: isolations,
            preparation: preparation)
    }

    /// The factory and its completions as one closure.
    var completed: Factory {
        guard let completions else { return factory }
        return .withArguments { [factory, completions] resolver, args in
            guard let service = try factory(resolver, args) else { return nil }
            for complete in completions { try complete(resolver, service, args) }
            return service
        }
    }
}
