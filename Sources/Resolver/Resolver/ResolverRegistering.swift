/// Adopt it on `Resolver` to have your registrations made before the first use:
///
///     extension Resolver: ResolverRegistering {
///         public static func registerAllServices() {
///             register { NetworkClient() as API }
///         }
///     }
///
/// Outside of the package Swift asks for `@retroactive ResolverRegistering`, as both the class and the protocol are this
/// module's; that is fine, there is one such extension in an app.
///
/// In a module whose default isolation is the main actor, write `nonisolated extension Resolver: ResolverRegistering`:
/// services are resolved from every thread, and the compiler asks for it.
public protocol ResolverRegistering: SendableMetatype {
    /// Called once, before the first `resolve` on any resolver or the first `register` on `main`. Other threads wait for
    /// it; what it resolves itself sees what is registered so far.
    static func registerAllServices()
}

/// Has a `resolver` to take services from; by default `Resolver.root`, read anew each time.
public protocol Resolving {
    /// Where to resolve from.
    var resolver: Resolver { get }
}

extension Resolving {
    /// `Resolver.root` of the moment.
    public var resolver: Resolver { Resolver.root }
}
