import Resolver

/// The registrations of an app, for the static functions.
extension Resolver: ResolverRegistering {
    public static func registerAllServices() {
        register { CachedService() }.scope(.cached)
        registerGraph()
        registerChain()
        registerInjected()
    }
}
