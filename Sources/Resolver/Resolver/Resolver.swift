/// A container of registrations that resolves services.
///
///     Resolver.register { NetworkClient() as API }.scope(.application)
///     let api: API = Resolver.resolve()
///
/// Every function exists as an instance method and as a static function: static `register` uses `main`, static `resolve` uses
/// `root`. All functions may be called from any thread, and no lock is held while your code runs.
public final class Resolver: Sendable {
    let children: ChildList
    /// The registrations. They are released after the children, together with the captures of the factories.
    let table = RegistrationTable()
    let owner: RegistrationOwner
    /// A copy of the owner's value, for quick access.
    let isolation: UInt64
    /// The index in `LiveResolvers`; nil for the resolver of a scope.
    private let listing: Int?

    var isIsolating: Bool { isolation != 0 }

    /// Creates an empty resolver.
    ///
    /// - Parameter child: searched, with all resolvers below it, when this resolver has no registration.
    public convenience init(child: Resolver? = nil, fileID: StaticString = #fileID, line: UInt = #line) {
        self.init(child, isIsolating: false, SourceLocation(fileID: fileID, line: line))
    }

    /// Creates a resolver that finds the registrations of `parent` and keeps instances of its own.
    ///
    /// Like any resolver with a child, it is searched before `parent`, so its own registrations take precedence. It keeps
    /// every instance that is created through it, in any scope, including singletons and custom caches. `parent` never
    /// returns these instances, and this resolver never returns instances of `parent`. Its instances are released with this
    /// resolver, or by its `reset(scope:)`; a scope's `reset()` does not release them. The exception is a scope that keeps
    /// instances in its own table, and not in a `ResolverScopeCache`.
    ///
    /// Factories must use the resolver that they receive: `Resolver.resolve()` and property wrappers use `Resolver.root`.
    public convenience init(isolating parent: Resolver, fileID: StaticString = #fileID, line: UInt = #line) {
        self.init(parent, isIsolating: true, SourceLocation(fileID: fileID, line: line))
    }

    private convenience init(_ child: Resolver?, isIsolating: Bool, _ location: SourceLocation) {
        self.init(child, owner: RegistrationOwner(location: location, isIsolating: isIsolating))
    }

    /// Creates a resolver whose instances belong to `owner`.
    init(_ child: Resolver? = nil, owner: RegistrationOwner) {
        children = ChildList(child)
        self.owner = owner
        isolation = owner.isolation
        listing = owner.isScope ? nil : LiveResolvers.shared.add(table, owner)
        owner.table = table
    }

    /// Releases the instances explicitly, because a kept instance or other code may still hold a registration.
    deinit {
        owner.table = nil
        let release = release(includingShared: false)
        release.run()
        for registration in release.registrations { registration.end() }
        if let listing { LiveResolvers.shared.remove(owner, at: listing) }
    }

    /// Creates an empty resolver with a child. Replaced by `init(child:)`.
    @available(swift, deprecated: 5.0, message: "Please use Resolver(child:).")
    public convenience init(parent: Resolver) { self.init(child: parent) }

    /// Adds a resolver that is searched after this one and its earlier children.
    ///
    /// Children are retained and never removed. Resolvers may be children of each other: a search visits each once, but they
    /// then retain each other.
    public func add(child: Resolver) { children.append(child) }

    /// The scope in which `.container` keeps this resolver's instances.
    ///
    /// After another scope is assigned, this resolver no longer returns the instances in the old one.
    public var cache: ResolverScope {
        get { owner.cache }
        set {
            owner.cache = newValue
            // The old scope still keeps its instances, but no slot may serve them: see `isServed(from:)`.
            for registration in table.all { registration.invalidateFastSlots() }
        }
    }
}
