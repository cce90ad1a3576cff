/// Keeps instances in the `cache` of the resolver that registered the service, whichever resolver was asked.
///
/// It holds nothing itself, so its own `reset()` does nothing: use `reset()` of the `cache`, or `reset(scope: .container)`
/// of the resolver.
public final class ResolverScopeContainer: ResolverScope, @unchecked Sendable {
    public override init() {}

    override var isBuiltIn: Bool { true }

    override func instance(
        of registration: AnyResolverRegistration, _ resolver: Resolver, _ args: Any?, into memory: ServiceMemory
    ) throws -> Bool {
        let cache = registration.owner.cache
        guard cache !== self else { throw ResolutionError.cacheIsContainer(registration) }
        return try cache.isBuiltIn
            ? cache.instance(of: registration, resolver, args, into: memory)
            : registration.ask(cache, resolver, args, into: memory)
    }

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
