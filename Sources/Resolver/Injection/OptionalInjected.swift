/// A service that is resolved when the wrapper is made, or nil if it is not registered.
///
///     @OptionalInjected var analytics: Analytics?
///
/// Asks `Resolver.root`, or the container it is given and no other, once.
@propertyWrapper
public struct OptionalInjected<Service> {
    @usableFromInline var service: Service?

    /// Resolves the unnamed service from `Resolver.root`.
    @_alwaysEmitIntoClient
    public init(fileID: StaticString = #fileID, line: UInt = #line) {
        service = Resolver.optional(Service.self, fileID: fileID, line: line)
    }

    /// Resolves a service by name, from a container.
    @_alwaysEmitIntoClient
    public init(
        name: Resolver.Name? = nil, container: Resolver? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        if let container {
            service = container.optional(Service.self, name: name, fileID: fileID, line: line)
        } else {
            service = Resolver.optional(Service.self, name: name, fileID: fileID, line: line)
        }
    }

    /// The service, or nil. Assigning replaces it here and nowhere else.
    @_alwaysEmitIntoClient
    public var wrappedValue: Service? {
        get { service }
        mutating set { service = newValue }
    }

    /// The wrapper itself.
    public var projectedValue: OptionalInjected<Service> {
        get { self }
        mutating set { self = newValue }
    }
}

extension OptionalInjected: Sendable where Service: Sendable {}
