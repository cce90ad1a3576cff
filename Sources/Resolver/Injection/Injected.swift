/// A service that is resolved when the wrapper is created.
///
///     @Injected var api: API
///     @Injected(name: .test) var api: API
///
/// Resolves from `Resolver.root`, or only from the container that is passed. Traps if the service is missing, as `resolve()`
/// does. Inside a factory, the wrapper joins the resolution cycle of that factory.
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

    /// The service. An assignment replaces it in this wrapper only.
    @_alwaysEmitIntoClient
    public var wrappedValue: Service {
        get { service }
        mutating set { service = newValue }
    }

    /// The property wrapper, which `$property` returns.
    public var projectedValue: Injected<Service> {
        get { self }
        mutating set { self = newValue }
    }
}

extension Injected: Sendable where Service: Sendable {}

/// A service that is resolved when the wrapper is created; nil if it is not registered.
///
///     @OptionalInjected var analytics: Analytics?
///
/// Resolves once, from `Resolver.root`, or only from the container that is passed.
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

    /// The service, or nil. An assignment replaces it in this wrapper only.
    @_alwaysEmitIntoClient
    public var wrappedValue: Service? {
        get { service }
        mutating set { service = newValue }
    }

    /// The property wrapper, which `$property` returns.
    public var projectedValue: OptionalInjected<Service> {
        get { self }
        mutating set { self = newValue }
    }
}

extension OptionalInjected: Sendable where Service: Sendable {}

/// A service that is looked up at each read, and may be missing.
///
///     @Inject var cart: Cart?
///
/// The property follows the scopes that are current at each read: it is nil before a session begins, the session's cart
/// during the session, and nil afterwards. It never traps, and keeps nothing itself. If `optional()` would trap, the property
/// is nil, and observers of `ScopeContext` get the event `injectFailed`.
@propertyWrapper
public struct Inject<Service> {
    private let name: Resolver.Name?
    private let container: Resolver?
    private let callSite: SourceLocation

    /// Creates a wrapper that looks up the unnamed service in `Resolver.root`.
    public init(fileID: StaticString = #fileID, line: UInt = #line) {
        self.init(name: nil, container: nil, fileID: fileID, line: line)
    }

    /// Creates a wrapper that looks up a service by name, in a container.
    public init(
        name: Resolver.Name? = nil, container: Resolver? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        self.name = name
        self.container = container
        self.callSite = SourceLocation(fileID: fileID, line: line)
    }

    /// The service that is found now, or nil.
    public var wrappedValue: Service? {
        let resolver = container ?? Resolver.preparedRoot()
        let (fileID, line) = (callSite.fileID, callSite.line)
        do {
            return try ServiceMemory.receive {
                _ = try resolver.provideWithoutCopy(
                    nil, Service.self, as: Service.self, name, .none, fileID, line, into: $0)
            }
        } catch {
            let error = ResolutionError.ofCall(error, fileID, line)
            ScopeEvent.emit { .injectFailed(service: error.service, code: error.code, callSite: callSite) }
            return nil
        }
    }
}

extension Inject: Sendable {}
