/// What modifiers have said about how long the instances of a registration live, and who shares them.
struct RegistrationSettings: Sendable {
    var scope: any ResolverScopeType
    var timeToLive: TimeToLive?
    /// Makes the key that an instance is kept by; nil where all calls share one instance.
    var argumentKey: (@Sendable (_ argument: Any) throws -> ArgumentKey)?
    /// Whether the service was ever registered for one scope of a context alone, which comes before.
    var hasScopeOverride = false
    /// Run when a keeper lets go of an instance.
    var releaseHooks = ReleaseHooks()

    /// Whether a kept instance answers every call until it is let go of, whatever the time and the arguments.
    var isUnconditional: Bool { timeToLive == nil && argumentKey == nil && !hasScopeOverride }
}
