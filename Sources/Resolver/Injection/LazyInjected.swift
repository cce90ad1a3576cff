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
