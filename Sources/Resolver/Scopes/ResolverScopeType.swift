/// Decides whether a service is made anew or an instance that is already there is handed out.
///
/// The built-in scopes conform to it, and so may yours: pass it to `.scope(_:)`.
///
///     final class LastOnly: ResolverScopeType { … }
///     register { Page() }.scope(LastOnly())
///
/// A scope is asked from any thread. A scope that makes and keeps instances itself has to see to it that two threads do
/// not make two; building on a `ResolverScopeCache` gives you that.
public protocol ResolverScopeType: AnyObject, Sendable {
    /// The instance for `registration`: a kept one, or one from `registration.instantiate(resolver:args:)`.
    ///
    /// - Parameters:
    ///   - registration: what was found. Its identity, not its type, tells instances of two resolvers apart.
    ///   - resolver: the resolver that was asked. Hand it on to `instantiate`.
    ///   - args: the arguments of the call. Hand them on to `instantiate`.
    /// - Returns: nil if there is none to give.
    /// - Throws: what `registration.make(resolver:args:)` throws, or an error of the scope's own.
    func resolve<Service>(
        registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
    ) throws -> Service?

    /// The instance that is kept for `registration`, or nil. Never makes one. By default nil.
    func existing<Service>(registration: ResolverRegistration<Service>, resolver: Resolver) -> Service?

    /// Lets go of what is kept for one registration: another took its place, its scope was changed or reset in its
    /// resolver, or its resolver is gone. By default nothing.
    func release(_ registration: AnyResolverRegistration)

    /// Lets go of everything the scope keeps, in every resolver. What was handed out lives on with its holders.
    func reset()
}

extension ResolverScopeType {
    public func existing<Service>(registration: ResolverRegistration<Service>, resolver: Resolver) -> Service? {
        nil
    }

    public func release(_ registration: AnyResolverRegistration) {}
}
