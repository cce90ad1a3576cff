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
