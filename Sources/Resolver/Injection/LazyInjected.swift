/// A service that is resolved when it is first read.
///
///     @LazyInjected var page: Page
///     init() { $page.args = 42 }
///
/// Reading is not mutating, may happen on several threads, and resolves once. A copy of the wrapper made before the first
/// read gets the same instance; assigning to a copy, or releasing it, leaves the original as it is.
@propertyWrapper
public struct LazyInjected<Service> {
    private var storage = LazyStorage<Service>()
    private let callSite: SourceLocation
    /// The container to ask instead of `Resolver.root`; has an effect until the first read.
    public var container: Resolver? { didSet { partFromCopies() } }
    /// The name to ask for; has an effect until the first read.
    public var name: Resolver.Name? { didSet { partFromCopies() } }
    /// The arguments to pass; have an effect until the first read.
    public var args: Any? { didSet { partFromCopies() } }

    /// What was set here is not for a copy that has not been read either.
    private mutating func partFromCopies() {
        if storage.existing == nil { storage = LazyStorage() }
    }

    /// Will resolve the unnamed service from `Resolver.root`.
    public init(fileID: StaticString = #fileID, line: UInt = #line) {
        self.init(name: nil, container: nil, fileID: fileID, line: line)
    }

    /// Will resolve a service by name, from a container.
    public init(
        name: Resolver.Name? = nil, container: Resolver? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        self.name = name
        self.container = container
        self.callSite = SourceLocation(fileID: fileID, line: line)
    }

    /// Whether there is no service yet, or not any more.
    public var isEmpty: Bool { storage.existing == nil }

    /// The service. Assigning before the first read means that nothing is resolved.
    public var wrappedValue: Service {
        get {
            storage.service(callSite) {
                resolveLazily(container, name, args, callSite)
            }
        }
        mutating set { storage = LazyStorage(newValue) }
    }

    /// The wrapper itself.
    public var projectedValue: LazyInjected<Service> {
        get { self }
        mutating set { self = newValue }
    }

    /// Lets go of the service; the next read resolves again.
    public mutating func release() {
        storage = LazyStorage()
    }
}

/// `@unchecked Sendable`: all but `args`, which an app sets before the first read, and which is not touched after.
extension LazyInjected: @unchecked Sendable where Service: Sendable {}

/// From the container if there is one, else from `Resolver.root`.
func resolveLazily<Service>(
    _ container: Resolver?, _ name: Resolver.Name?, _ args: Any?, _ callSite: SourceLocation
) -> Service {
    container.map { $0.resolve(name: name, args: args, fileID: callSite.fileID, line: callSite.line) }
        ?? Resolver.resolve(name: name, args: args, fileID: callSite.fileID, line: callSite.line)
}
