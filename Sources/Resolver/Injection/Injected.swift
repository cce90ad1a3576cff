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

/// A service that is resolved at the first read.
///
///     @LazyInjected var page: Page
///     init() { $page.args = 42 }
///
/// A read does not mutate, and several threads may read. The service is resolved once. A copy of the wrapper from before the
/// first read gets the instance of the original. An assignment to a copy, or `release()` of it, does not affect the original.
@propertyWrapper
public struct LazyInjected<Service> {
    private var cell = InstanceCell()
    private let callSite: SourceLocation
    /// The container to use instead of `Resolver.root`. An assignment has an effect until the first read.
    public var container: Resolver? { didSet { cell = cell.withoutCopies } }
    /// The name of the service. An assignment has an effect until the first read.
    public var name: Resolver.Name? { didSet { cell = cell.withoutCopies } }
    /// The arguments of the call. An assignment has an effect until the first read.
    public var args: Any? { didSet { cell = cell.withoutCopies } }

    /// Creates a wrapper that resolves the unnamed service from `Resolver.root`.
    public init(fileID: StaticString = #fileID, line: UInt = #line) {
        self.init(name: nil, container: nil, fileID: fileID, line: line)
    }

    /// Creates a wrapper that resolves a service by name, from a container.
    public init(
        name: Resolver.Name? = nil, container: Resolver? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        self.name = name
        self.container = container
        self.callSite = SourceLocation(fileID: fileID, line: line)
    }

    /// Whether the wrapper holds no service, because it was not read yet or was released.
    public var isEmpty: Bool { cell.kept == nil }

    /// The service. After an assignment before the first read, nothing is resolved.
    public var wrappedValue: Service {
        get {
            cell.value(ofProperty: Service.self, callSite) { resolveLazily(container, name, args, callSite) }
        }
        mutating set { cell = InstanceCell(of: Service.self, keeping: newValue) }
    }

    /// The property wrapper, which `$property` returns.
    public var projectedValue: LazyInjected<Service> {
        get { self }
        mutating set { self = newValue }
    }

    /// Releases the service. The next read resolves again.
    public mutating func release() { cell = InstanceCell() }
}

/// `@unchecked Sendable`: only `args` is not `Sendable`. An app sets it before the first read, and it is constant from then
/// on.
extension LazyInjected: @unchecked Sendable where Service: Sendable {}

/// Resolves from the container if there is one, and otherwise from `Resolver.root`.
func resolveLazily<Service>(
    _ container: Resolver?, _ name: Resolver.Name?, _ args: Any?, _ callSite: SourceLocation
) -> Service {
    container.map { $0.resolve(name: name, args: args, fileID: callSite.fileID, line: callSite.line) }
        ?? Resolver.resolve(name: name, args: args, fileID: callSite.fileID, line: callSite.line)
}

/// A service that is resolved at the first read and held weakly, for a parent and child that refer to each other.
///
///     @WeakLazyInjected var parent: Parent?
///
/// Once the object is released, the property is nil and does not resolve it again. Only objects can be held weakly; a value
/// is nil at once. A read traps if the service is not registered, although the property is optional.
@propertyWrapper
public struct WeakLazyInjected<Service> {
    private var cell = InstanceCell()
    private let callSite: SourceLocation
    /// The container to use instead of `Resolver.root`. An assignment has an effect until the first read.
    public var container: Resolver? { didSet { cell = cell.withoutCopies } }
    /// The name of the service. An assignment has an effect until the first read.
    public var name: Resolver.Name? { didSet { cell = cell.withoutCopies } }
    /// The arguments of the call. An assignment has an effect until the first read.
    public var args: Any? { didSet { cell = cell.withoutCopies } }

    private struct WeakService {
        private weak var object: AnyObject?
        let wasNil: Bool

        init(_ service: Service?) {
            // A bridged value might never be released: Foundation stores a short text in the pointer itself.
            object = service.flatMap { TypeMetadata.isClass(type(of: $0 as Any)) ? $0 as AnyObject : nil }
            wasNil = service == nil
        }

        // Unwrapped first: a cast of nil to `Any` or `AnyObject` returns a value.
        var service: Service? { object.flatMap { $0 as? Service } }
    }

    /// Creates a wrapper that resolves the unnamed service from `Resolver.root`.
    public init(fileID: StaticString = #fileID, line: UInt = #line) {
        self.init(name: nil, container: nil, fileID: fileID, line: line)
    }

    /// Creates a wrapper that resolves a service by name, from a container.
    public init(
        name: Resolver.Name? = nil, container: Resolver? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        self.name = name
        self.container = container
        self.callSite = SourceLocation(fileID: fileID, line: line)
    }

    /// Whether the wrapper has no service, because it was not read yet or the object was released. False after nil was assigned,
    /// as in 1.5.1.
    public var isEmpty: Bool {
        guard let resolved = cell.kept.map({ InstanceBox<WeakService>.unpack($0) }) else { return true }
        return !resolved.wasNil && resolved.service == nil
    }

    /// The service while another reference holds it; otherwise nil.
    public var wrappedValue: Service? {
        get {
            // Retained until the result is returned, because the object may have no other reference yet.
            var made: Service?
            let resolved = cell.value(ofProperty: Service.self, callSite) {
                let service: Service = resolveLazily(container, name, args, callSite)
                made = service
                return WeakService(service)
            }
            return withExtendedLifetime(made) { resolved.service }
        }
        mutating set { cell = InstanceCell(of: Service.self, keeping: WeakService(newValue)) }
    }

    /// The property wrapper, which `$property` returns.
    public var projectedValue: WeakLazyInjected<Service> {
        get { self }
        mutating set { self = newValue }
    }
}

/// `@unchecked Sendable`: only `args` is not `Sendable`. An app sets it before the first read, and it is constant from then
/// on.
extension WeakLazyInjected: @unchecked Sendable where Service: Sendable {}
