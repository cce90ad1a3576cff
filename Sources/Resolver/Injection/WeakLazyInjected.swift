/// A service that is resolved when it is first read, and not held: one half of a parent and child that know each other.
///
///     @WeakLazyInjected var parent: Parent?
///
/// Reads nil once no other reference holds the object, from then on: it is not resolved a second time. Only objects can be held
/// weakly; a value is gone at once. A service that is not registered traps, although the property is optional.
@propertyWrapper
public struct WeakLazyInjected<Service> {
    private var storage = LazyStorage<WeakService>()
    private let callSite: SourceLocation
    /// The container to ask instead of `Resolver.root`; has an effect until the first read.
    public var container: Resolver? { didSet { partFromCopies() } }
    /// The name to ask for; has an effect until the first read.
    public var name: Resolver.Name? { didSet { partFromCopies() } }
    /// The arguments to pass; have an effect until the first read.
    public var args: Any? { didSet { partFromCopies() } }

    private struct WeakService {
        private weak var object: AnyObject?
        let wasNil: Bool

        init(_ service: Service?) {
            // A value that is bridged may never go: Foundation writes a short text into the pointer to it.
            object = service.flatMap { TypeMetadata.isClass(type(of: $0 as Any)) ? $0 as AnyObject : nil }
            wasNil = service == nil
        }

        var service: Service? { object as? Service }
    }

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

    /// Whether there is no service: not read yet, or gone. False after nil was assigned, as in 1.5.1.
    public var isEmpty: Bool {
        guard let resolved = storage.existing else { return true }
        return !resolved.wasNil && resolved.service == nil
    }

    /// The service, while another reference holds it.
    public var wrappedValue: Service? {
        get {
            // Held here until the answer has been made: the object may have no other holder yet.
            var made: Service?
            let resolved = storage.service(callSite) {
                let service: Service = resolveLazily(container, name, args, callSite)
                made = service
                return WeakService(service)
            }
            return withExtendedLifetime(made) { resolved.service }
        }
        mutating set { storage = LazyStorage(WeakService(newValue)) }
    }

    /// The wrapper itself.
    public var projectedValue: WeakLazyInjected<Service> {
        get { self }
        mutating set { self = newValue }
    }
}

/// `@unchecked Sendable`: all but `args`, which an app sets before the first read, and which is not touched after.
extension WeakLazyInjected: @unchecked Sendable where Service: Sendable {}
