/// A container of registrations, and the place to ask for services.
///
///     Resolver.register { NetworkClient() as API }.scope(.application)
///     let api: API = Resolver.resolve()
///
/// Every function exists on an instance and as a static function: static `register` goes to `main`, static `resolve`
/// asks `root`. All of it may be called from any thread, and no lock is held while code of yours runs.
public final class Resolver: Sendable {
    @usableFromInline let table = RegistrationTable()
    let children: ChildList
    @usableFromInline let home: ResolverHome
    private let registered: ResolverDirectory.Ticket

    /// Makes an empty resolver.
    ///
    /// - Parameter child: searched when this resolver has no registration of its own, with all that is below it.
    public init(child: Resolver? = nil, fileID: StaticString = #fileID, line: UInt = #line) {
        children = ChildList(child.map { [$0] } ?? [])
        home = ResolverHome(location: SourceLocation(fileID: fileID, line: line))
        registered = ResolverDirectory.Ticket(table: table, home: home)
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
        get { home.cache }
        set {
            home.cache = newValue
            // What the old one keeps is still there, but must be asked for: see ResolverScopeCache.answersAlone.
            for registration in table.all { registration.withdrawSlots() }
        }
    }
}
