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
    public var container: Resolver? { didSet { storage = storage.withoutCopies } }
    /// The name to ask for; has an effect until the first read.
    public var name: Resolver.Name? { didSet { storage = storage.withoutCopies } }
    /// The arguments to pass; have an effect until the first read.
    public var args: Any? { didSet { storage = storage.withoutCopies } }

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
    public var container: Resolver? { didSet { storage = storage.withoutCopies } }
    /// The name to ask for; has an effect until the first read.
    public var name: Resolver.Name? { didSet { storage = storage.withoutCopies } }
    /// The arguments to pass; have an effect until the first read.
    public var args: Any? { didSet { storage = storage.withoutCopies } }

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

/// What a lazy property wrapper has resolved, or will.
///
/// Exactly one thread resolves; the others that read wait for it and for nothing else. A service whose making reads the
/// same property again is an error, also across threads.
final class LazyStorage<Service>: Sendable {
    private let cell = InstanceCell()

    init() {}

    /// Storage that has been given its service.
    init(_ service: Service) {
        _ = try? box { service }
    }

    /// The storage of a wrapper that was given a setting, which is not for a copy that has not been read either.
    var withoutCopies: LazyStorage { existing == nil ? LazyStorage() : self }

    /// The service, if it is there; never resolves.
    var existing: Service? {
        cell.kept.map { InstanceBox.unpack($0) }
    }

    /// The service; `resolve` is called by the first to ask.
    func service(_ callSite: SourceLocation, resolve: () -> Service) -> Service {
        do throws(ResolutionError) {
            return InstanceBox.unpack(try box(resolve))
        } catch {
            fatalError(error.asked(at: callSite).description, file: callSite.fileID, line: callSite.line)
        }
    }

    private func box(_ resolve: () -> Service) throws(ResolutionError) -> AnyObject {
        try cell.object(of: .property(Service.self, in: cell), strength: .strong) { InstanceBox.pack(resolve()) }
    }
}
