/// Memory for one service, whose type its owner knows and the engine does not.
///
/// It is that of a variable of type `Service?`, or `AnyObject?` where the service is of a class. The variable belongs to a call on
/// the stack and is nil until something is put in.
@usableFromInline
struct ServiceMemory {
    @usableFromInline let address: UnsafeMutableRawPointer

    @_alwaysEmitIntoClient @inline(__always)
    init(_ address: UnsafeMutableRawPointer) {
        self.address = address
    }

    /// Calls `body` with the memory of a variable.
    @_alwaysEmitIntoClient @inline(__always)
    static func filling<Service, Failure: Error>(
        _ service: UnsafeMutablePointer<Service?>, _ body: (ServiceMemory) throws(Failure) -> Void
    ) throws(Failure) {
        try body(ServiceMemory(service))
    }

    /// Calls `body`, which may put a service in.
    static func receive<Service, Failure: Error>(
        _ body: (ServiceMemory) throws(Failure) -> Bool
    ) throws(Failure) -> Service? {
        var service: Service?
        _ = try withUnsafeMutablePointer(to: &service) { address throws(Failure) in try body(ServiceMemory(address)) }
        return service
    }

    /// Calls `body` with memory for a service of a type.
    static func with<Service, Result>(_ type: Service.Type, _ body: (ServiceMemory) throws -> Result) rethrows -> Result
    {
        var service: Service?
        return try withUnsafeMutablePointer(to: &service) { try body(ServiceMemory($0)) }
    }

    /// Puts a service in, if there is one.
    ///
    /// - Returns: whether there is.
    @_alwaysEmitIntoClient @inline(__always)
    func put<Service>(_ service: Service?) -> Bool {
        guard let service else { return false }
        address.assumingMemoryBound(to: Service?.self).initialize(to: service)
        return true
    }

    /// Puts in what `make` returns, which writes it where it belongs.
    ///
    /// - Returns: whether it has returned a service.
    @_alwaysEmitIntoClient @inline(__always)
    func fill<Service>(_ make: () throws -> Service?) rethrows -> Bool {
        let variable = address.assumingMemoryBound(to: Service?.self)
        variable.initialize(to: try make())
        return variable.pointee != nil
    }

    /// Puts a service in that is an object itself. (As an argument of `put` it would be opened, and its class looked up.)
    @inline(__always)
    func putObject(_ object: AnyObject) -> Bool {
        address.assumingMemoryBound(to: AnyObject?.self).initialize(to: object)
        return true
    }

    /// The service, which stays there.
    @_alwaysEmitIntoClient @inline(__always)
    func service<Service>() -> Service {
        address.assumingMemoryBound(to: Service.self).pointee
    }

    /// Takes the service out.
    func empty<Service>(of type: Service.Type) {
        address.assumingMemoryBound(to: Service?.self).pointee = nil
    }
}

/// A factory in the one shape that the engine calls: it puts the service into memory of the caller.
///
/// - Returns: whether there is a service.
@usableFromInline
typealias ServiceFactory = @Sendable (Resolver, PassedArguments, ServiceMemory) throws -> Bool

// The one shape, for each in which `register` takes factories. Compiled where they are written, where the type is known.

extension ServiceMemory {
    @_alwaysEmitIntoClient
    static func factory<Service>(_ factory: @escaping ResolverIsolatedFactory<Service>) -> ServiceFactory {
        let factory = Isolation.assumed(factory)
        return { _, _, memory in try memory.fill(factory) }
    }

    @_alwaysEmitIntoClient
    static func factory<Service>(_ factory: @escaping ResolverIsolatedFactoryResolver<Service>) -> ServiceFactory {
        let factory = Isolation.assumed(factory)
        return { resolver, _, memory in try memory.fill { try factory(resolver) } }
    }

    @_alwaysEmitIntoClient
    static func factory<Service>(_ factory: @escaping ResolverIsolatedFactoryArgumentsN<Service>) -> ServiceFactory {
        let factory = Isolation.assumed(factory)
        return { resolver, args, memory in try memory.fill { try factory(resolver, Resolver.Args(args)) } }
    }
}

/// The class of the boxes for one type of service. As a value, it stands for the type in code that is compiled once.
@usableFromInline
class AnyInstanceBox {
    /// The type of the service.
    class var service: Any.Type { fatalError() }

    /// Calls `body` with memory for a service.
    ///
    /// - Returns: what was put in, as a keeper holds it; nil if nothing was.
    class func receive(_ body: (ServiceMemory) throws -> Bool) throws -> AnyObject? { fatalError() }
}

/// Holds a kept instance that is not a plain object: a value, or an object behind a protocol.
@usableFromInline
final class InstanceBox<Service>: AnyInstanceBox {
    @usableFromInline let service: Service

    init(_ service: Service) {
        self.service = service
    }

    override class var service: Any.Type { Service.self }

    override class func receive(_ body: (ServiceMemory) throws -> Bool) throws -> AnyObject? {
        let service: Service? = try ServiceMemory.receive(body)
        return service.map(pack)
    }

    /// The service as one object that a keeper can hold strongly.
    static func pack(_ service: Service) -> AnyObject {
        Service.self is AnyClass ? service as AnyObject : InstanceBox(service)
    }
}

extension InstanceBox {
    /// The service out of what `pack` has made of it.
    @_alwaysEmitIntoClient
    static func unpack(_ object: AnyObject) -> Service { unpack(Unmanaged.passRetained(object)) }

    /// The service out of what `pack` made of it to be kept strongly: the object itself, or a box of exactly this type.
    @_alwaysEmitIntoClient @inline(__always)
    static func unpack(_ object: Unmanaged<AnyObject>) -> Service {
        if Service.self is AnyClass { return unsafeBitCast(object.takeRetainedValue(), to: Service.self) }
        return unsafeDowncast(object.takeRetainedValue(), to: InstanceBox<Service>.self).service
    }
}

// Instances as objects, in the form in which a scope keeps them.

extension AnyResolverRegistration {
    /// This with the type of its service, which the key and the factory's type together have proved.
    @_alwaysEmitIntoClient
    final func typed<Service>() -> ResolverRegistration<Service> {
        unsafeDowncast(self, to: ResolverRegistration<Service>.self)
    }

    /// The service in `memory` as one object that a keeper can hold, or nil if it is no object and would be held weakly.
    final func pack(_ memory: ServiceMemory, _ strength: InstanceCell.ReferenceStrength) -> AnyObject? {
        if isDirect { return memory.service() }
        switch strength {
        case .strong: return box(memory)
        case .weak: return isObject(memory) && !TypeMetadata.isError(serviceType) ? object(memory) : nil
        }
    }

    /// Puts the service out of what `pack` made of it into `memory`.
    ///
    /// - Returns: true, as everything that puts a service somewhere.
    final func unpack(_ object: AnyObject, into memory: ServiceMemory) -> Bool {
        isDirect ? memory.putObject(object) : unbox(object, into: memory)
    }

    /// Calls `body` with memory for an instance.
    final func withMemory<Result>(_ body: (ServiceMemory) throws -> Result) rethrows -> Result {
        guard isDirect else { return try withMemoryOfType(body) }
        var object: AnyObject?
        return try withUnsafeMutablePointer(to: &object) { try body(ServiceMemory($0)) }
    }

    /// Whether the service in `memory` is an object, itself or behind a protocol; only such a thing can be shared or referred
    /// to.
    @inline(__always)
    final func isObject(_ memory: ServiceMemory) -> Bool {
        isDirect
            || TypeMetadata.isObject(at: memory.address, of: serviceType)
                ?? TypeMetadata.isClass(type(of: value(memory)))
    }

    /// The instance that another thread has in its cycle, packed. Its properties are still being resolved.
    final func unfinished(in maker: ResolutionCycle, _ identity: UInt64) -> AnyObject? {
        maker.object(identity, of: self)
    }
}

extension ResolverRegistration {
    /// The service out of what `pack` made of it.
    static func unpack(_ object: AnyObject) -> Service {
        if Service.self is AnyClass { return unsafeBitCast(object, to: Service.self) }
        if type(of: object) == InstanceBox<Service>.self {
            return unsafeDowncast(object, to: InstanceBox<Service>.self).service
        }
        // Kept weakly: the object behind a protocol. It was a Service when it went in.
        return object as! Service
    }
}
