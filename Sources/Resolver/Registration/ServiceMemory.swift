/// The memory of a variable for one service. Its owner knows the service's type, and the engine does not.
///
/// The variable has the type `Service?`, or `AnyObject?` for a service of class type. It belongs to a call on the stack, and
/// is nil until a service is put in.
@usableFromInline
struct ServiceMemory {
    @usableFromInline let address: UnsafeMutableRawPointer

    @_alwaysEmitIntoClient @inline(__always)
    init(_ address: UnsafeMutableRawPointer) { self.address = address }

    /// Calls `body`, which may put a service in, and returns the service.
    ///
    /// The variable belongs to this function and is returned as it is: to unwrap a variable of the caller would copy an existential.
    @_alwaysEmitIntoClient @inline(__always)
    static func receive<Service, Failure: Error>(
        _ body: (ServiceMemory) throws(Failure) -> Void
    ) throws(Failure) -> Service? {
        var service: Service?
        try call(body, &service)
        return service
    }

    @_alwaysEmitIntoClient @inline(__always)
    private static func call<Service, Failure: Error>(
        _ body: (ServiceMemory) throws(Failure) -> Void, _ variable: UnsafeMutablePointer<Service?>
    ) throws(Failure) {
        try body(ServiceMemory(variable))
    }

    /// Calls `body` with memory for a service of a type.
    static func with<Service, Result>(_ type: Service.Type, _ body: (ServiceMemory) throws -> Result) rethrows -> Result
    {
        var service: Service?
        return try withUnsafeMutablePointer(to: &service) { try body(ServiceMemory($0)) }
    }

    /// Puts a service, or nil, into empty memory.
    ///
    /// - Returns: whether the service is not nil. (Checked before the move: a later check costs a copy of an existential.)
    @_alwaysEmitIntoClient @inline(__always)
    func put<Service>(_ service: consuming Service?) -> Bool {
        let isThere = service != nil
        address.assumingMemoryBound(to: Service?.self).initialize(to: service)
        return isThere
    }

    /// Puts in a service that is an object. (`put` would open the existential and look up its class.)
    @inline(__always)
    func putObject(_ object: AnyObject) -> Bool {
        address.assumingMemoryBound(to: AnyObject?.self).initialize(to: object)
        return true
    }

    /// Puts in a service that is an object, with the reference that the caller owns.
    @inline(__always)
    func putObject(_ object: TakenReference) -> Bool {
        address.assumingMemoryBound(to: TakenReference?.self).initialize(to: object)
        return true
    }

    @_alwaysEmitIntoClient @inline(__always)
    func service<Service>() -> Service { address.assumingMemoryBound(to: Service.self).pointee }

    func empty<Service>(of type: Service.Type) { address.assumingMemoryBound(to: Service?.self).pointee = nil }
}

/// A factory that the engine calls without knowing the type of the service.
@usableFromInline
enum ServiceFactory: Sendable {
    /// The user's factory of a class. Its result is an object, whatever the class.
    case object(Plain<AnyObject>.Assumed)
    case objectFromResolver(WithResolver<AnyObject>.Assumed)
    /// Another factory, in a function that puts the service into the caller's memory.
    case function(Function)

    /// - Returns: whether there is a service.
    @usableFromInline typealias Function = @Sendable (Resolver, PassedArguments, ServiceMemory) throws -> Bool

    /// The factory of registrations that create nothing.
    static let none = ServiceFactory.function { _, _, _ in false }

    @inline(__always)
    func callAsFunction(_ call: Call) throws -> Bool {
        switch self {
        case .object(let factory): try factory.make(into: call.memory)
        case .objectFromResolver(let factory): try factory.make(call.resolver, into: call.memory)
        case .function(let function): try function(call.resolver, call.args, call.memory)
        }
    }
}

// The factories that `register` takes. Emitted into the app, where the type is known.

extension ServiceFactory {
    /// Whether a service is one reference to an object: its type is a class or `AnyObject`. If the type is known, this is a constant.
    /// `type is AnyClass` is not: each `register` would compile both branches.
    @_alwaysEmitIntoClient @inline(__always)
    static func isClass<Service>(_ type: Service.Type) -> Bool {
        switch _canBeClass(type) {
        case 0: false
        case 1: true
        default: type is AnyClass
        }
    }

    @_alwaysEmitIntoClient
    static func of<Service>(_ factory: @escaping ResolverIsolatedFactory<Service>) -> ServiceFactory {
        let factory = Plain<Service>.Isolated(call: factory)
        if isClass(Service.self) { return .object(Isolation.assumed(factory)) }
        let assumed: Plain<Service>.Assumed = Isolation.assumed(factory)
        return .function { _, _, memory in try memory.put(assumed.call()) }
    }

    @_alwaysEmitIntoClient
    static func of<Service>(_ factory: @escaping ResolverIsolatedFactoryResolver<Service>) -> ServiceFactory {
        let factory = WithResolver<Service>.Isolated(call: factory)
        if isClass(Service.self) { return .objectFromResolver(Isolation.assumed(factory)) }
        let assumed: WithResolver<Service>.Assumed = Isolation.assumed(factory)
        return .function { resolver, _, memory in try memory.put(assumed.call(resolver)) }
    }

    @_alwaysEmitIntoClient
    static func of<Service>(_ factory: @escaping ResolverIsolatedFactoryArgumentsN<Service>) -> ServiceFactory {
        let factory = WithArguments<Service>.Isolated(call: factory)
        if isClass(Service.self) { return ofObject(Isolation.assumed(factory)) }
        let assumed: WithArguments<Service>.Assumed = Isolation.assumed(factory)
        return .function { resolver, args, memory in try memory.put(assumed.call(resolver, Resolver.Args(args))) }
    }

    @usableFromInline
    static func ofObject(_ factory: WithArguments<AnyObject>.Assumed) -> ServiceFactory {
        .function { resolver, args, memory in try factory.make(resolver, args, into: memory) }
    }
}

/// The class of the boxes for one type of service. As a value, it stands for the type in code that is not generic.
@usableFromInline
class AnyInstanceBox {
    class var service: Any.Type { fatalError() }

    /// Whether values of the type are objects. The optimizer does not know this for every type.
    @usableFromInline @inline(never)
    final class func isClass(_ type: Any.Type) -> Bool { TypeMetadata.isClass(type) }

    /// Calls `body` with memory for a service.
    ///
    /// - Returns: the service in the form in which it is kept, or nil.
    class func receive(_ body: (ServiceMemory) throws -> Bool) throws -> AnyObject? { fatalError() }
}

/// A box for an instance that is not a plain object: a value, or an object behind a protocol.
@usableFromInline
final class InstanceBox<Service>: AnyInstanceBox {
    @usableFromInline let service: Service

    init(_ service: Service) { self.service = service }

    override class var service: Any.Type { Service.self }

    override class func receive(_ body: (ServiceMemory) throws -> Bool) throws -> AnyObject? {
        let service: Service? = try ServiceMemory.receive { _ = try body($0) }
        return service.map(pack)
    }

    /// Returns the service as one object that can be kept strongly.
    static func pack(_ service: Service) -> AnyObject {
        // A cast costs thousands of instructions where the type is not known at compile time.
        TypeMetadata.isClass(Service.self) ? unsafeBitCast(service, to: AnyObject.self) : InstanceBox(service)
    }
}

extension InstanceBox {
    /// Returns the service as one object that a scope can keep, which asks for the actor of a conformance.
    static func packToKeep(_ service: Service) -> AnyObject {
        let object = pack(service)
        let isIsolated = withUnsafePointer(to: service) { TypeMetadata.isIsolatedObject(at: $0, of: Service.self) }
        return isIsolated ? IsolatedInstance(object) : object
    }

    /// Whether a service is kept as it is: its type is a class.
    ///
    /// A constant for most types. The optimizer does not treat a class with `Sendable` as a class, although its metadata is that of the
    /// class.
    @_alwaysEmitIntoClient @inline(__always)
    static var isDirect: Bool {
        _canBeClass(Service.self) != 0 && (Service.self is AnyClass || AnyInstanceBox.isClass(Service.self))
    }

    /// Returns the service from an object that `pack` made.
    @_alwaysEmitIntoClient
    static func unpack(_ object: AnyObject) -> Service { unpack(Unmanaged.passRetained(object)) }

    /// Returns the service from an object that `pack` made: the service itself, or a box of exactly this type.
    @_alwaysEmitIntoClient @inline(__always)
    static func unpack(_ object: Unmanaged<AnyObject>) -> Service {
        if isDirect { return unsafeBitCast(object.takeRetainedValue(), to: Service.self) }
        return unsafeDowncast(object.takeRetainedValue(), to: InstanceBox<Service>.self).service
    }
}

// Instances as objects, in the form in which a scope keeps them.

extension AnyResolverRegistration {
    /// Returns this registration as one of `Service`. Its key, and the type of its factory, prove that it is one.
    @_alwaysEmitIntoClient
    final func typed<Service>() -> ResolverRegistration<Service> {
        unsafeDowncast(self, to: ResolverRegistration<Service>.self)
    }

    /// Returns the service in `memory` as an object to keep, or nil if it is not an object and would be held weakly.
    final func pack(_ memory: ServiceMemory, _ strength: InstanceCell.ReferenceStrength) -> AnyObject? {
        if isDirect { return memory.service() }
        switch strength {
        case .strong: return box(memory)
        case .weak: return isObject(memory) && !TypeMetadata.isError(serviceType) ? object(memory) : nil
        }
    }

    /// Puts the service from an object that `pack` made into `memory`.
    ///
    /// - Returns: true, as all functions that put a service into memory.
    final func unpack(_ object: AnyObject, into memory: ServiceMemory) -> Bool {
        isDirect ? memory.putObject(object) : unbox(object, into: memory)
    }

    /// Puts the service from an object of a slot into `memory`.
    @inline(__always)
    final func unpack(_ object: TakenReference, into memory: ServiceMemory) -> Bool {
        isDirect ? memory.putObject(object) : unbox(object.takeRetainedValue(), into: memory)
    }

    /// Calls `body` with memory for an instance.
    final func withMemory<Result>(_ body: (ServiceMemory) throws -> Result) rethrows -> Result {
        guard isDirect else { return try withMemoryOfType(body) }
        var object: AnyObject?
        return try withUnsafeMutablePointer(to: &object) { try body(ServiceMemory($0)) }
    }

    /// Whether the service in `memory` is an object, itself or behind a protocol. Only an object can be shared or referenced.
    @inline(__always)
    final func isObject(_ memory: ServiceMemory) -> Bool {
        isDirect
            || TypeMetadata.isObject(at: memory.address, of: serviceType)
                ?? TypeMetadata.isClass(type(of: value(memory)))
    }
}

extension AnyResolverRegistration {
    /// Puts the service from an object that a store keeps into `memory`, and returns true.
    ///
    /// - Throws: `.wrongIsolation` if the store keeps it weakly, and its conformance to the protocol of the registration belongs to an
    ///   actor on which the call does not run.
    @inline(__always)
    final func unpackKept(_ object: AnyObject, into memory: ServiceMemory) throws -> Bool {
        if unpack(object, into: memory) { return true }
        throw wrongIsolation
    }

    private final var wrongIsolation: ResolutionError {
        @inline(never) get {
            .wrongIsolation(self, actor: plan.settings.isolations.first ?? MainActor.shared)
        }
    }
}

extension ResolverRegistration {
    /// Returns the service from an object that `pack` made and that is kept strongly, for its hooks.
    static func unpack(_ object: AnyObject) -> Service {
        InstanceBox<Service>.unpack((object as? IsolatedInstance)?.box ?? object)
    }

    /// Returns the service from an object that `pack` made; nil if its conformance belongs to an actor on which the call does not run.
    static func unpackIfAllowed(_ object: AnyObject) -> Service? {
        if TypeMetadata.isClass(Service.self) { return unsafeBitCast(object, to: Service.self) }
        if type(of: object) == InstanceBox<Service>.self {
            return unsafeDowncast(object, to: InstanceBox<Service>.self).service
        }
        // Only a cast from an object asks whether the calling code may use the conformance.
        if type(of: object) == IsolatedInstance.self { return unpack(object) as AnyObject as? Service }
        // Kept weakly: the object behind a protocol. It was a `Service` when it was kept.
        return object as? Service
    }
}
