// Instances as objects, in the form in which a scope keeps them.

extension ResolverRegistration {
    /// `service` as one object that a keeper can hold, or nil if it is no object and would be held weakly.
    func pack(_ service: Service, _ strength: InstanceCell.ReferenceStrength) -> AnyObject? {
        if isDirect { return unsafeBitCast(service, to: AnyObject.self) }
        switch strength {
        case .strong: return InstanceBox(service)
        case .weak: return isObject(service) && !TypeMetadata.isError(Service.self) ? service as AnyObject : nil
        }
    }

    /// The instance that another thread has in its cycle, packed. Its properties are still being resolved.
    func unfinished(in maker: ResolutionCycle, _ identity: UInt64) -> AnyObject? {
        maker.instance(Service.self, identity: identity).flatMap { pack($0, .strong) }
    }

    /// The service out of what `pack` made of it.
    @inlinable
    static func unpack(_ object: AnyObject) -> Service {
        if Service.self is AnyClass { return unsafeBitCast(object, to: Service.self) }
        if type(of: object) == InstanceBox<Service>.self {
            return unsafeDowncast(object, to: InstanceBox<Service>.self).service
        }
        // Kept weakly: the object behind a protocol. It was a Service when it went in.
        return object as! Service
    }

    /// Whether `service` is an object, itself or behind a protocol; only such a thing can be shared or referred to.
    @inlinable @inline(__always)
    func isObject(_ service: Service) -> Bool {
        isDirect || TypeMetadata.isObject(service)
    }
}
