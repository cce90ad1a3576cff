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
