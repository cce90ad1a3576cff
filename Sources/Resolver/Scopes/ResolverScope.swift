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

/// Keeps one instance for each registration, until `reset()`, re-registration, or the end of the resolver.
///
/// Exactly one thread, or task, makes an instance; others that ask meanwhile wait for it, and only for it. Values are kept as well
/// as objects. What a factory that threw or returned nil leaves is nothing: the next call tries again.
///
/// `.cached` and `.application` are such caches; make your own with `ResolverScopeCache()`.
open class ResolverScopeCache: ResolverScope, @unchecked Sendable {
    /// What an instance belongs to.
    public struct Sharing: Sendable {
        let identity: InstanceStore.Identity

        /// An instance belongs to its registration: two resolvers have two instances, and a resolver's end is the end of its instances.
        public static let registration = Sharing(identity: .registration)
        /// An instance belongs to the `register` call in the source, with its type and name: resolvers that run the same call
        /// share one instance, which outlives them.
        public static let definition = Sharing(identity: .definition)
    }

    let store: InstanceStore

    /// A cache in which every registration has its own instance.
    public override init() {
        store = InstanceStore(strength: .strong, identity: .registration)
        super.init()
    }

    /// A cache in which an instance belongs to what `sharing` says.
    public init(sharing: Sharing) {
        store = InstanceStore(strength: .strong, identity: sharing.identity)
        super.init()
    }

    deinit {
        store.end()
    }

    override var described: Lifetime { .cached(Unretained(store)) }
    override var isBuiltIn: Bool { type(of: self) == ResolverScopeCache.self }

    open override func existing<Service>(
        registration: ResolverRegistration<Service>, resolver: Resolver
    ) -> Service? {
        store.existing(of: registration, resolver).map(ResolverRegistration<Service>.unpack)
    }

    /// Lets go of every instance, the youngest first. When it returns, the cache holds none of them any more; an
    /// instance that was being made meanwhile goes to those who asked for it and is not kept. What isolating resolvers
    /// keep is theirs and stays.
    open override func reset() {
        store.reset()
    }

    /// Resets as `reset()` does, and returns when the release hooks of the instances have run, one after the other. Then it
    /// calls `reset()`, which a subclass may have overridden.
    nonisolated(nonsending) open override func resetAndWait() async {
        await InstanceCell.emptyAndWait(store.cellsToReset)
        reset()
    }

    /// Lets go of what is kept for one registration, unless it belongs to a definition. A scope of your own that keeps its
    /// instances in a cache calls it to have one of them go. What isolating resolvers keep for the registration stays.
    open override func release(_ registration: AnyResolverRegistration) {
        store.empty(registration)
    }
}

/// Keeps instances in the `cache` of the resolver that registered the service, whichever resolver was asked.
///
/// It holds nothing itself, so its own `reset()` does nothing: use `reset()` of the `cache`, or `reset(scope: .container)`
/// of the resolver.
public final class ResolverScopeContainer: ResolverScope, @unchecked Sendable {
    public override init() {}

    override var described: Lifetime { .container }
    override var isBuiltIn: Bool { true }

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

/// Keeps objects for the length of one resolution cycle: whatever is made for one outermost call shares them.
///
/// The default scope. A cycle belongs to its thread, or to a task and its child tasks, and no other code shares such an
/// instance; values are made anew each time. See `ResolutionCycle` and `TaskResolutionCycle` for when a cycle begins and ends.
public final class ResolverScopeGraph: ResolverScope, @unchecked Sendable {
    public override init() {}

    override var described: Lifetime { .perCycle }
    override var isBuiltIn: Bool { true }

    public override func existing<Service>(
        registration: ResolverRegistration<Service>, resolver: Resolver
    ) -> Service? {
        let identity = identity(of: registration, resolver)
        return
            (ResolutionCycle.current.object(identity, of: registration)
            ?? TaskFrame.current?.cycle.instance(identity)).map(ResolverRegistration<Service>.unpack)
    }

    /// An isolating resolver has objects of its own, wherever it stands on the way to the registration.
    private func identity(of registration: AnyResolverRegistration, _ resolver: Resolver) -> UInt64 {
        registration.identity(through: resolver, keeper: resolver.keeper(of: registration.owner))
    }
}

/// Keeps an object weakly: as long as another reference holds it. Values are never shared, as a value cannot be held weakly.
public final class ResolverScopeShare: ResolverScope, @unchecked Sendable {
    let store = InstanceStore(strength: .weak)

    public override init() {}

    deinit {
        store.end()
    }

    override var described: Lifetime { .cached(Unretained(store)) }
    override var isBuiltIn: Bool { true }

    public override func existing<Service>(
        registration: ResolverRegistration<Service>, resolver: Resolver
    ) -> Service? {
        store.existing(of: registration, resolver).map(ResolverRegistration<Service>.unpack)
    }

    /// Forgets the object of one registration.
    public override func release(_ registration: AnyResolverRegistration) {
        store.empty(registration)
    }

    /// Forgets every object: the next call makes a new one, even where the old one is still held.
    public override func reset() {
        store.reset()
    }
}
