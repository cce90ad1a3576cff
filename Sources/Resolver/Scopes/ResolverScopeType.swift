/// A scope, which decides whether a call gets a new instance or a kept one.
///
/// Pass a scope of your own to `.scope(_:)`:
///
///     final class LastOnly: ResolverScopeType { … }
///     register { Page() }.scope(LastOnly())
///
/// Any thread may call a scope. A scope that keeps instances by itself must ensure that two threads do not create two. A scope
/// that builds on a `ResolverScopeCache` need not.
public protocol ResolverScopeType: AnyObject, Sendable {
    /// Returns the instance for `registration`: a kept one, or one from `registration.instantiate(resolver:args:)`.
    ///
    /// If a factory or another scope fails, its function returns nil. Return nil too: the caller of the resolver gets the error.
    ///
    /// - Parameters:
    ///   - registration: the registration that was found. Keep instances by its identity and not by its type, because two resolvers that
    ///     register one type have two registrations.
    ///   - resolver: the resolver of the call. Pass it to `instantiate`.
    ///   - args: the arguments of the call. Pass them to `instantiate`.
    /// - Returns: nil if the scope has no instance to return.
    func resolve<Service>(registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?) -> Service?

    /// Returns the instance for `registration`, or throws.
    ///
    /// The library calls this function and not `resolve`, which the default implementation calls. Implement it for a scope that fails
    /// with errors of its own.
    ///
    /// - Throws: what `registration.make(resolver:args:)` or another scope throws, or an error of the scope's own.
    func tryResolve<Service>(
        registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
    ) throws -> Service?

    /// Returns the instance that is kept for `registration`, or nil. Never creates one. The default implementation returns nil.
    func existing<Service>(registration: ResolverRegistration<Service>, resolver: Resolver) -> Service?

    /// Releases what is kept for one registration. The default implementation does nothing.
    ///
    /// The library calls it when the registration is replaced, its scope is changed or reset in its resolver, or its resolver ends. If
    /// the registration is removed during a call of `resolve` or `tryResolve` for it, the library calls `release` again afterwards.
    func release(_ registration: AnyResolverRegistration)

    /// Releases all instances of the scope, in every resolver. An instance lives on while other references hold it.
    func reset()

    /// Resets as `reset()` does, and returns when the release hooks have run. The default implementation calls `reset()`.
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

    public func existing<Service>(registration: ResolverRegistration<Service>, resolver: Resolver) -> Service? { nil }

    public func release(_ registration: AnyResolverRegistration) {}

    nonisolated(nonsending) public func resetAndWait() async { reset() }
}

extension AnyResolverRegistration {
    /// Puts the service that a custom scope returns into the call's memory.
    @inline(never)
    final func resolveByAsking(
        _ scope: any ResolverScopeType, _ asked: ObjectIdentifier?, _ call: Call
    ) throws -> Bool {
        let cycle = ResolutionCycle.current
        return try cycle.asking(asked ?? ObjectIdentifier(scope), for: self) {
            // If the registration was removed before the scope had the instance, the scope must release it now.
            defer { if isReplaced { cycle.withoutPass { scope.release(self) } } }
            return try ask(scope, call.resolver, call.args.value, into: call.memory)
        }
    }
}
