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

/// A service that is looked up each time it is read, and may not be there.
///
///     @Inject var cart: Cart?
///
/// Follows the scopes that are current when it is read: nil before the session has begun, its cart meanwhile, nil again
/// afterwards. Never traps, and holds nothing itself. Where `optional()` would trap, it is nil as well, and observers of
/// `ScopeContext` get the event `injectFailed`.
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
        (container ?? Resolver.preparedRoot()).optionalTellingErrors(Service.self, name, callSite)
    }
}

extension Resolver {
    /// The service, or nil; where `optional` would trap, observers are told why.
    fileprivate func optionalTellingErrors<Service>(
        _ type: Service.Type, _ name: Name?, _ callSite: SourceLocation
    ) -> Service? {
        do {
            return try ServiceMemory.receive {
                try provide(nil, type, as: type, name, .none, callSite.fileID, callSite.line, into: $0)
            }
        } catch {
            let error = explain(error, type, name, callSite.fileID, callSite.line)
            ScopeEvent.emit { .injectFailed(service: error.service, code: error.code, callSite: callSite) }
            return nil
        }
    }
}

extension Inject: Sendable {}
