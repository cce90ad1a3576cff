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
