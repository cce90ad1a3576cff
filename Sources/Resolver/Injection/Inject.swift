/// A service that is looked up each time it is read, and may not be there.
///
///     @Inject var cart: Cart?
///
/// Follows the scopes that are current when it is read: nil before the session has begun, its cart meanwhile, nil again
/// afterwards; nil also for what cannot be made, or not yet. Never traps, and holds nothing itself.
@propertyWrapper
public struct Inject<Service> {
    private let name: Resolver.Name?
    private let container: Resolver?

    /// Will look the service up by name, in a container; by default `Resolver.root`.
    public init(name: Resolver.Name? = nil, container: Resolver? = nil) {
        self.name = name
        self.container = container
    }

    /// The service as it is found now, or nil.
    public var wrappedValue: Service? {
        container.map { try? $0.tryResolve(Service.self, name: name) }
            ?? (try? Resolver.tryResolve(Service.self, name: name))
    }
}

extension Inject: Sendable {}
