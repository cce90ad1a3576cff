import Resolver

/// What an app would register: everything that is resolved through the static functions.
extension Resolver: ResolverRegistering {
    public static func registerAllServices() {
        register { CachedService() }.scope(.cached)
        registerGraph()
        registerChain()
        registerInjected()
    }
}
