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
