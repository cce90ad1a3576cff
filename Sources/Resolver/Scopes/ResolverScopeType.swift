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
    /// Returns the instance for `registration`: a kept one, or one from `registration.instantiate(resolver:args:)`.
    ///
    /// An error of a factory or of another scope need not be handled here: what this function calls returns nil in its place.
    /// Return nil too, and the caller that asked the resolver gets the error.
    ///
    /// - Parameters:
    ///   - registration: what was found. Its identity, not its type, tells instances of two resolvers apart.
    ///   - resolver: the resolver that was asked. Hand it on to `instantiate`.
    ///   - args: the arguments of the call. Hand them on to `instantiate`.
    /// - Returns: nil if there is none to give.
    func resolve<Service>(registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?) -> Service?

    /// Returns the instance for `registration`, or throws. The library calls this function and no other; by default it calls
    /// `resolve`. Implement it as well in a scope that fails with errors of its own.
    ///
    /// - Throws: what `registration.make(resolver:args:)` or another scope throws, or an error of the scope's own.
    func tryResolve<Service>(
        registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
    ) throws -> Service?

    /// The instance that is kept for `registration`, or nil. Never makes one. By default nil.
    func existing<Service>(registration: ResolverRegistration<Service>, resolver: Resolver) -> Service?

    /// Lets go of what is kept for one registration: another took its place, its scope was changed or reset in its
    /// resolver, or its resolver is gone. By default nothing.
    func release(_ registration: AnyResolverRegistration)

    /// Lets go of everything the scope keeps, in every resolver. What was handed out lives on with its holders.
    func reset()

    /// Resets as `reset()` does, and returns when the release hooks of the instances have run. By default it calls `reset()`.
    nonisolated(nonsending) func resetAndWait() async
}

extension ResolverScopeType {
    public func tryResolve<Service>(
        registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
    ) throws -> Service? {
        try ResolutionCycle.current.asking(self, for: registration) {
            resolve(registration: registration, resolver: resolver, args: args)
        }
    }

    public func existing<Service>(registration: ResolverRegistration<Service>, resolver: Resolver) -> Service? {
        nil
    }

    public func release(_ registration: AnyResolverRegistration) {}

    nonisolated(nonsending) public func resetAndWait() async {
        reset()
    }
}
