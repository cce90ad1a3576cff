/// How a registration makes its service, and who keeps it. Immutable: a modifier publishes a new plan.
///
/// `@unchecked Sendable`: `previous` is set before the plan is published and not touched after.
@usableFromInline
final class RegistrationPlan<Service>: @unchecked Sendable {
    @usableFromInline typealias Factory = RegistrationFactory<Service>
    @usableFromInline typealias Completion =
        @Sendable (_ resolver: Resolver, _ service: Service, _ args: PassedArguments) throws -> Void

    @usableFromInline let factory: Factory
    /// Run in order after the factory, when the cycle already knows the new instance.
    @usableFromInline let completions: [Completion]
    let scope: any ResolverScopeType
    /// The actors of the factory and of the blocks that complete what it made; the caller must be on all of them.
    @usableFromInline let isolations: [any Actor]
    /// Whether calling `factory` is all there is to do.
    @usableFromInline let isPlain: Bool
    /// What the scope would do if it were asked.
    @usableFromInline let shortcut: ScopeShortcut
    /// The plan this one replaced: a thread that read it a moment ago may still be using it.
    var previous: RegistrationPlan?

    init(
        factory: Factory, completions: [Completion] = [], scope: any ResolverScopeType,
        isolations: [any Actor] = []
    ) {
        self.factory = factory
        self.completions = completions
        self.scope = scope
        self.isolations = isolations
        self.isPlain = completions.isEmpty && isolations.isEmpty
        self.shortcut = ScopeShortcut(for: scope)
    }

    func with(scope: any ResolverScopeType) -> RegistrationPlan {
        RegistrationPlan(factory: factory, completions: completions, scope: scope, isolations: isolations)
    }

    func with(completion: @escaping Completion, isolation: (any Actor)?) -> RegistrationPlan {
        RegistrationPlan(
            factory: factory, completions: completions + [completion], scope: scope,
            isolations: isolations + (isolation.map { [$0] } ?? []))
    }

    /// What was completed so far becomes part of the factory that is wrapped.
    func with(wrapped factory: Factory) -> RegistrationPlan {
        RegistrationPlan(factory: factory, scope: scope, isolations: isolations)
    }

    /// The factory and its completions as one closure.
    var completed: Factory {
        guard !completions.isEmpty else { return factory }
        return .withArguments { [factory, completions] resolver, args in
            guard let service = try factory(resolver, args) else { return nil }
            for complete in completions { try complete(resolver, service, args) }
            return service
        }
    }
}
