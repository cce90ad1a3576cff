/// Keeps objects for the length of one resolution cycle: whatever is made for one outermost call shares them.
///
/// The default scope. A cycle belongs to its thread, or to a task and its child tasks, and no other code shares such an
/// instance; values are made anew each time. See `ResolutionCycle` and `TaskResolutionCycle` for when a cycle begins and ends.
public final class ResolverScopeGraph: ResolverScope, @unchecked Sendable {
    public override init() {}

    override var described: Lifetime { .perCycle }
    override var isBuiltIn: Bool { true }

    public override func existing<Service>(
        registration: ResolverRegistration<Service>, resolver: Resolver
    ) -> Service? {
        let identity = identity(of: registration, resolver)
        return
            (ResolutionCycle.current.object(identity, of: registration)
            ?? TaskFrame.current?.cycle.instance(identity)).map(ResolverRegistration<Service>.unpack)
    }

    /// An isolating resolver has objects of its own, wherever it stands on the way to the registration.
    private func identity(of registration: AnyResolverRegistration, _ resolver: Resolver) -> UInt64 {
        registration.identity(through: resolver, keeper: resolver.keeper(of: registration.owner))
    }
}
