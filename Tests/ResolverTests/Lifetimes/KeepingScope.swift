import Resolver

/// The scopes that cache instances, one of each kind.
enum KeepingScope: String, CaseIterable, Codable {
    case application, cached, container, shared, ownCache, ownSubclass

    /// The scopes that retain an instance for one resolver.
    static let ofOneResolver = allCases.filter { $0 != .shared && $0 != .application }

    final class Subclass: ResolverScopeCache, @unchecked Sendable {}

    /// Returns the scope. Custom scopes are new for each call.
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
