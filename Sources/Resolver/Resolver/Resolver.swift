/// A container of registrations, and the place to ask for services.
///
///     Resolver.register { NetworkClient() as API }.scope(.application)
///     let api: API = Resolver.resolve()
///
/// Every function exists on an instance and as a static function: static `register` goes to `main`, static `resolve`
/// asks `root`. All of it may be called from any thread, and no lock is held while code of yours runs.
public final class Resolver: Sendable {
    let children: ChildList
    /// Goes after the children, and with it what factories have captured.
    let table = RegistrationTable()
    let owner: RegistrationOwner
    /// That of the owner, nearer at hand.
    let isolation: UInt64
    /// Where it is listed; nil for that of a scope.
    private let listing: Int?

    var isIsolating: Bool { owner.isIsolating }

    /// Makes an empty resolver.
    ///
    /// - Parameter child: searched when this resolver has no registration of its own, with all that is below it.
    public convenience init(child: Resolver? = nil, fileID: StaticString = #fileID, line: UInt = #line) {
        self.init(child, isIsolating: false, SourceLocation(fileID: fileID, line: line))
    }

    /// Makes a resolver that finds what `parent` finds, and keeps every instance it makes to itself.
    ///
    /// It is searched before `parent`, like any resolver with a child; registrations made on it stand in front. But
    /// whatever scope a registration has, singletons and caches of your own included, an instance made through this
    /// resolver is kept by it: `parent` never sees it, nothing that `parent` keeps is handed out here, and all are
    /// released with this resolver. A scope's `reset()` does not reach them, `reset(scope:)` of this resolver does.
    /// (Only a scope that keeps instances in a table of its own, and not in a `ResolverScopeCache`, does so here too.)
    ///
    /// Factories take part as far as they use the resolver they are handed; `Resolver.resolve()` and property wrappers
    /// ask `Resolver.root`.
    public convenience init(isolating parent: Resolver, fileID: StaticString = #fileID, line: UInt = #line) {
        self.init(parent, isIsolating: true, SourceLocation(fileID: fileID, line: line))
    }

    private convenience init(_ child: Resolver?, isIsolating: Bool, _ location: SourceLocation) {
        self.init(child, owner: RegistrationOwner(location: location, isIsolating: isIsolating))
    }

    /// A resolver whose instances are kept in `owner`.
    init(_ child: Resolver? = nil, owner: RegistrationOwner) {
        children = ChildList(child.map { [$0] } ?? [])
        self.owner = owner
        isolation = owner.isolation
        listing = owner.isScope ? nil : LiveResolvers.shared.add(table, owner)
        owner.table = table
    }

    /// Not left to the ends of the registrations: a reference may still hold one, even the instance that is kept for it.
    deinit {
        owner.table = nil
        let release = release(includingShared: false)
        release.run()
        for registration in release.registrations { registration.end() }
        if let listing { LiveResolvers.shared.remove(at: listing) }
    }

    /// The old spelling of `init(child:)`.
    @available(swift, deprecated: 5.0, message: "Please use Resolver(child:).")
    public convenience init(parent: Resolver) {
        self.init(child: parent)
    }

    /// Adds a resolver to be searched after this one and the children added before.
    ///
    /// Children are held strongly and never removed. Resolvers may be added in a circle: a search visits each once; but
    /// they then hold each other.
    public func add(child: Resolver) {
        children.append(child)
    }

    /// What `.container` keeps this resolver's instances in. Assign another scope to keep them differently; what the
    /// old cache keeps is then no longer handed out here.
    public var cache: ResolverScope {
        get { owner.cache }
        set {
            owner.cache = newValue
            // What the old one keeps is still there, but must be asked for: see `isServed(from:)`.
            for registration in table.all { registration.invalidateFastSlots() }
        }
    }
}
