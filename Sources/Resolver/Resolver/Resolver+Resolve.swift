// Each function has a form without `args`, in which an argument that is not passed costs nothing. To a caller, both look like
// one function with a default value.

extension Resolver {
    /// Returns a service: the instance that its scope keeps, or a new one.
    ///
    /// Traps if there is no service. The message names the service and the call site, has suggestions, and begins with the
    /// sentence of 1.5.1.
    ///
    /// - Parameters:
    ///   - type: the type by which the service is registered; inferred.
    ///   - name: the name under which the service is registered.
    @_alwaysEmitIntoClient
    public func resolve<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Service {
        let found = fastLookup(type, name, as: Service.self)
        if let kept = found.kept { return InstanceBox<Service>.unpack(kept) }
        return ServiceMemory.receive { memory in
            if make(found.registration, into: memory) { return }
            makeOrTrap(found.registration, type, as: Service.self, name, .none, fileID, line, into: memory)
        }!
    }

    /// Returns a service, and passes arguments to its factory.
    ///
    /// A factory that takes no arguments ignores them. Traps as `resolve(_:name:)` does.
    @_alwaysEmitIntoClient
    public func resolve<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: Any?,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Service {
        ServiceMemory.receive { memory in
            PassedArguments.with(args) { makeOrTrap(nil, type, as: Service.self, name, $0, fileID, line, into: memory) }
        }!
    }

    /// Returns a service, or nil if it is not registered, its factory or scope returned nil, or a required scope is missing.
    ///
    /// Traps on other errors, as `resolve` does.
    @_alwaysEmitIntoClient
    public func optional<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Service? {
        let found = fastLookup(type, name, as: Service.self)
        if let kept = found.kept { return InstanceBox<Service>.unpack(kept) }
        return ServiceMemory.receive { memory in
            if make(found.registration, into: memory) { return }
            makeOrNil(found.registration, type, as: Service.self, name, .none, fileID, line, into: memory)
        }
    }

    /// Returns a service, or nil as `optional(_:name:)` does, and passes arguments to its factory.
    ///
    /// A factory that takes no arguments ignores them.
    @_alwaysEmitIntoClient
    public func optional<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: Any?,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Service? {
        ServiceMemory.receive { memory in
            PassedArguments.with(args) { makeOrNil(nil, type, as: Service.self, name, $0, fileID, line, into: memory) }
        }
    }

    /// Returns a service, or throws an error that says why there is none.
    ///
    /// - Throws: `ResolutionError`. A `resolve()` that fails inside a factory still traps: call `tryResolve` there too, and
    ///   let the factory throw the error.
    @_alwaysEmitIntoClient
    public func tryResolve<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws(ResolutionError) -> Service {
        let found = fastLookup(type, name, as: Service.self)
        if let kept = found.kept { return InstanceBox<Service>.unpack(kept) }
        return try ServiceMemory.receive { memory throws(ResolutionError) in
            if make(found.registration, into: memory) { return }
            try makeOrThrow(found.registration, type, as: Service.self, name, .none, fileID, line, into: memory)
        }!
    }

    /// Returns a service, or throws an error that says why there is none, and passes arguments to its factory.
    ///
    /// A factory that takes no arguments ignores them.
    ///
    /// - Throws: `ResolutionError`.
    @_alwaysEmitIntoClient
    public func tryResolve<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: Any?,
        fileID: StaticString = #fileID, line: UInt = #line
    ) throws(ResolutionError) -> Service {
        try ServiceMemory.receive { memory throws(ResolutionError) in
            try PassedArguments.with(args) { args throws(ResolutionError) in
                try makeOrThrow(nil, type, as: Service.self, name, args, fileID, line, into: memory)
            }
        }!
    }

    /// Returns the kept instance of a service, or nil. Never creates an instance, and never waits for one.
    @_alwaysEmitIntoClient
    public func existing<Service>(_ type: Service.Type = Service.self, name: Resolver.Name? = nil) -> Service? {
        if let kept: Service = kept(type, name) { return kept }
        return existingOfScope(type, name)
    }
}

// The static functions, which use `root`.

extension Resolver {
    /// Returns a service from `root`. See the instance method for the details.
    @_alwaysEmitIntoClient
    public static func resolve<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Service {
        let found = fastLookup(type, name, as: Service.self)
        if let kept = found.kept { return InstanceBox<Service>.unpack(kept) }
        return ServiceMemory.receive { memory in
            if make(found.registration, into: memory) { return }
            root(of: found.registration)
                .makeOrTrap(found.registration, type, as: Service.self, name, .none, fileID, line, into: memory)
        }!
    }

    /// Returns a service from `root`, and passes arguments to its factory.
    @_alwaysEmitIntoClient
    public static func resolve<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: Any?,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Service {
        preparedRoot().resolve(type, name: name, args: args, fileID: fileID, line: line)
    }

    /// Returns a service from `root`, or nil. See the instance method for the details.
    @_alwaysEmitIntoClient
    public static func optional<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Service? {
        let found = fastLookup(type, name, as: Service.self)
        if let kept = found.kept { return InstanceBox<Service>.unpack(kept) }
        return ServiceMemory.receive { memory in
            if make(found.registration, into: memory) { return }
            root(of: found.registration)
                .makeOrNil(found.registration, type, as: Service.self, name, .none, fileID, line, into: memory)
        }
    }

    /// Returns a service from `root`, or nil, and passes arguments to its factory.
    @_alwaysEmitIntoClient
    public static func optional<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: Any?,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Service? {
        preparedRoot().optional(type, name: name, args: args, fileID: fileID, line: line)
    }

    /// Returns a service from `root`, or throws. See the instance method for the details.
    @_alwaysEmitIntoClient
    public static func tryResolve<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws(ResolutionError) -> Service {
        let found = fastLookup(type, name, as: Service.self)
        if let kept = found.kept { return InstanceBox<Service>.unpack(kept) }
        return try ServiceMemory.receive { memory throws(ResolutionError) in
            if make(found.registration, into: memory) { return }
            try root(of: found.registration)
                .makeOrThrow(found.registration, type, as: Service.self, name, .none, fileID, line, into: memory)
        }!
    }

    /// Returns a service from `root`, or throws, and passes arguments to its factory.
    @_alwaysEmitIntoClient
    public static func tryResolve<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: Any?,
        fileID: StaticString = #fileID, line: UInt = #line
    ) throws(ResolutionError) -> Service {
        try preparedRoot().tryResolve(type, name: name, args: args, fileID: fileID, line: line)
    }

    /// Returns the kept instance of a service from `root`, or nil. See the instance method for the details.
    @_alwaysEmitIntoClient
    public static func existing<Service>(_ type: Service.Type = Service.self, name: Resolver.Name? = nil) -> Service? {
        preparedRoot().existing(type, name: name)
    }

    /// Runs the bootstrap, which may replace `root`, and returns `root`.
    @usableFromInline
    package static func preparedRoot() -> Resolver {
        SlowPathReasons.isNone ? first : Bootstrap.shared.prepared { root }
    }
}
