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
    private let callSite: SourceLocation

    /// Will look the unnamed service up in `Resolver.root`.
    public init(fileID: StaticString = #fileID, line: UInt = #line) {
        self.init(name: nil, container: nil, fileID: fileID, line: line)
    }

    /// Will look a service up by name, in a container.
    public init(
        name: Resolver.Name? = nil, container: Resolver? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        self.name = name
        self.container = container
        self.callSite = SourceLocation(fileID: fileID, line: line)
    }

    /// The service as it is found now, or nil.
    public var wrappedValue: Service? {
        let (fileID, line) = (callSite.fileID, callSite.line)
        if let container { return try? container.tryResolve(Service.self, name: name, fileID: fileID, line: line) }
        return try? Resolver.tryResolve(Service.self, name: name, fileID: fileID, line: line)
    }
}

extension Inject: Sendable {}
