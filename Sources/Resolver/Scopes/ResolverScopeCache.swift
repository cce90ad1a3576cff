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

        /// To the registration: two resolvers have two instances, and a resolver's end is the end of its instances.
        public static let registration = Sharing(identity: .registration)
        /// To the `register` call in the source, with its type and name: resolvers that run the same call share one
        /// instance, which outlives them.
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
