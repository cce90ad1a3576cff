/// A new instance for every call, and the class that all built-in scopes derive from.
///
/// Derive from it, or from `ResolverScopeCache`, to write a scope of your own; and add scopes as you add names:
///
///     extension ResolverScope {
///         static let session = ResolverScopeCache()
///     }
///
/// `@unchecked Sendable`: it has no state. A subclass has to guard its own, as scopes are asked from any thread.
open class ResolverScope: ResolverScopeType, @unchecked Sendable {
    /// One instance for each definition, for the life of the process: a singleton. The same `register` call, run on two
    /// resolvers, means the same instance; another `register` call means another.
    public static let application = ResolverScopeCache(sharing: .definition)
    /// `application` by its other name.
    public static var singleton: ResolverScopeCache { application }
    /// One instance as long as the resolver that registered it lives, or until that resolver's `cache` is reset.
    public static let container = ResolverScopeContainer()
    /// One instance until the scope is reset or the resolver that registered it is gone.
    public static let cached = ResolverScopeCache()
    /// One instance during a resolution cycle: the default.
    public static let graph = ResolverScopeGraph()
    /// One instance as long as another reference holds it.
    public static let shared = ResolverScopeShare()
    /// A new instance for every call.
    public static let unique = ResolverScope()

    public init() {}

    /// Returns the instance for a registration, or nil. Override it to do more than the scope does.
    ///
    /// Where there is an error it returns nil, and the caller that asked the resolver gets the error.
    open func resolve<Service>(
        registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
    ) -> Service? {
        ResolutionCycle.current.holdingErrors {
            try PassedArguments.with(args) { args in
                try ServiceMemory.receive { try registration.instance(by: self, described, resolver, args, into: $0) }
            }
        }
    }

    /// Returns the instance for a registration, or throws. Calls `resolve` where a subclass may have overridden that.
    open func tryResolve<Service>(
        registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
    ) throws -> Service? {
        let lifetime = lifetime
        if !lifetime.isCustom {
            return try PassedArguments.with(args) { args in
                try ServiceMemory.receive { try registration.instance(by: self, lifetime, resolver, args, into: $0) }
            }
        }
        return try ResolutionCycle.current.asking(self, for: registration) {
            resolve(registration: registration, resolver: resolver, args: args)
        }
    }

    /// What the class does.
    var described: Lifetime { .transient }

    /// Whether it is no subclass of a user, which may have overridden `resolve`.
    var isBuiltIn: Bool { type(of: self) == ResolverScope.self }

    /// What the library may do in its place.
    final var lifetime: Lifetime { isBuiltIn ? described : .custom }

    /// Nothing: this scope keeps none.
    open func existing<Service>(registration: ResolverRegistration<Service>, resolver: Resolver) -> Service? {
        nil
    }

    /// Nothing to do: this scope keeps none.
    open func release(_ registration: AnyResolverRegistration) {}

    /// Nothing to do: this scope keeps none.
    open func reset() {}

    /// Resets as `reset()` does, and returns when the release hooks of the instances have run.
    nonisolated(nonsending) open func resetAndWait() async {
        reset()
    }
}

/// The name that 1.5.1 has for the scope that keeps nothing.
public typealias ResolverScopeUnique = ResolverScope
