import Resolver

/// The scopes that keep what they make, one of each kind.
enum KeepingScope: CaseIterable {
    case application, cached, container, shared, ownCache, ownSubclass

    /// Those that hold an instance when nobody else does.
    static let strong = allCases.filter { $0 != .shared }
    /// Those whose instances belong to a resolver.
    static let ofOneResolver = strong.filter { $0 != .application }

    final class Subclass: ResolverScopeCache, @unchecked Sendable {}

    /// The scope itself; those of one's own are new each time.
    func make() -> ResolverScope {
        switch self {
        case .application: .application
        case .cached: .cached
        case .container: .container
        case .shared: .shared
        case .ownCache: ResolverScopeCache()
        case .ownSubclass: Subclass()
        }
    }
}
