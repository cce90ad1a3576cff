/// Keeps instances in the `cache` of the resolver that registered the service, whichever resolver was asked.
///
/// It holds nothing itself, so its own `reset()` does nothing: use `reset()` of the `cache`, or `reset(scope: .container)`
/// of the resolver.
public final class ResolverScopeContainer: ResolverScope, @unchecked Sendable {
    public override init() {}

    override var described: Lifetime { .container }
    override var isBuiltIn: Bool { true }

    public override func existing<Service>(
        registration: ResolverRegistration<Service>, resolver: Resolver
    ) -> Service? {
        let cache = registration.owner.cache
        return cache === self ? nil : cache.existing(registration: registration, resolver: resolver)
    }

    public override func release(_ registration: AnyResolverRegistration) {
        let cache = registration.owner.cache
        if cache !== self { cache.release(registration) }
    }
}
