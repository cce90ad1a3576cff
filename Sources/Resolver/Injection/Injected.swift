/// A service that is resolved when the wrapper is made.
///
///     @Injected var api: API
///     @Injected(name: .test) var api: API
///
/// Asks `Resolver.root`, or the container it is given and no other. A missing service traps, as in `resolve()`. Made
/// inside a factory, the wrapper takes part in the resolution cycle of that factory.
@propertyWrapper
public struct Injected<Service> {
    @usableFromInline var service: Service

    /// Resolves the unnamed service from `Resolver.root`.
    @_alwaysEmitIntoClient
    public init(fileID: StaticString = #fileID, line: UInt = #line) {
        service = Resolver.resolve(Service.self, fileID: fileID, line: line)
    }

    /// Resolves a service by name, from a container.
    @_alwaysEmitIntoClient
    public init(
        name: Resolver.Name? = nil, container: Resolver? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        service =
            container?.resolve(Service.self, name: name, fileID: fileID, line: line)
            ?? Resolver.resolve(Service.self, name: name, fileID: fileID, line: line)
    }

    /// The service. Assigning replaces it here and nowhere else.
    @_alwaysEmitIntoClient
    public var wrappedValue: Service {
        get { service }
        mutating set { service = newValue }
    }

    /// The wrapper itself.
    public var projectedValue: Injected<Service> {
        get { self }
        mutating set { self = newValue }
    }
}

extension Injected: Sendable where Service: Sendable {}
