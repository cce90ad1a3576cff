import Resolver

extension Resolver.Name {
    /// Price lists.
    static let retail = Self("retail"), trade = Self("trade")

    /// Ways to pay.
    static let card = Self("card"), invoice = Self("invoice")
}

extension ResolverScope {
    /// Keeps what belongs to the customer who is logged in. Logging out is `reset()`.
    static let session = ResolverScopeCache()
}
