import Resolver

extension ResolverScope {
    /// Keeps what belongs to the customer who is logged in. Logging out is `reset()`.
    static let session = ResolverScopeCache()
}
