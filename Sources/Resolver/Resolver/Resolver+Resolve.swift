// The doors. Each exists without and with `args`: an argument that is nowhere passed costs nothing that way, and to the
// caller the two look like one function with a default.

extension Resolver {
    /// Resolves a service: the instance that its scope keeps, or one made now.
    ///
    /// Traps when there is none, with a message that says what was asked, by whom, and what may have been meant. The
    /// first sentence of the message is 1.5.1's.
    ///
    /// - Parameters:
    ///   - type: the type it was registered by; inferred.
    ///   - name: the name it was registered under.
    @_alwaysEmitIntoClient
    public func resolve<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Service {
        let found = found(type, name, as: Service.self)
        if let kept = found.kept { return InstanceBox<Service>.unpack(kept) }
        var service: Service?
        ServiceMemory.filling(&service) {
            make(found.registration, type, as: Service.self, name, .none, fileID, line, into: $0)
        }
        return service!
    }

    /// Resolves a service with arguments for its factory. A factory that takes none ignores them. Traps as `resolve(_:name:)` does.
    @_alwaysEmitIntoClient
    public func resolve<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: Any?,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Service {
        var service: Service?
        ServiceMemory.filling(&service) { memory in
            PassedArguments.with(args) { make(nil, type, as: Service.self, name, $0, fileID, line, into: memory) }
        }
        return service!
    }

    /// Resolves a service, or returns nil if it is not registered or its factory returned nil. Everything else traps, as in
    /// `resolve`.
    @_alwaysEmitIntoClient
    public func optional<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Service? {
        let found = found(type, name, as: Service.self)
        if let kept = found.kept { return InstanceBox<Service>.unpack(kept) }
        var service: Service?
        ServiceMemory.filling(&service) {
            makeIfAny(found.registration, type, as: Service.self, name, .none, fileID, line, into: $0)
        }
        return service
    }

    /// Resolves a service with arguments for its factory, or returns nil if it is not registered or its factory returned nil. A
    /// factory that takes no arguments ignores them.
    @_alwaysEmitIntoClient
    public func optional<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: Any?,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Service? {
        var service: Service?
        ServiceMemory.filling(&service) { memory in
            PassedArguments.with(args) { makeIfAny(nil, type, as: Service.self, name, $0, fileID, line, into: memory) }
        }
        return service
    }

    /// Resolves a service, or throws the reason why there is none.
    ///
    /// - Throws: `ResolutionError`. A `resolve()` that fails inside a factory still traps: use `tryResolve` there too,
    ///   and let the factory throw.
    @_alwaysEmitIntoClient
    public func tryResolve<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws(ResolutionError) -> Service {
        let found = found(type, name, as: Service.self)
        if let kept = found.kept { return InstanceBox<Service>.unpack(kept) }
        var service: Service?
        try ServiceMemory.filling(&service) { memory throws(ResolutionError) in
            try tryMake(found.registration, type, as: Service.self, name, .none, fileID, line, into: memory)
        }
        return service!
    }

    /// Resolves a service with arguments for its factory, or throws the reason why there is none. A factory that takes no
    /// arguments ignores them.
    ///
    /// - Throws: `ResolutionError`.
    @_alwaysEmitIntoClient
    public func tryResolve<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: Any?,
        fileID: StaticString = #fileID, line: UInt = #line
    ) throws(ResolutionError) -> Service {
        var service: Service?
        try ServiceMemory.filling(&service) { memory throws(ResolutionError) in
            try PassedArguments.with(args) { args throws(ResolutionError) in
                try tryMake(nil, type, as: Service.self, name, args, fileID, line, into: memory)
            }
        }
        return service!
    }

    /// The instance that is kept for the service, or nil. Never makes one and never waits for one.
    @_alwaysEmitIntoClient
    public func existing<Service>(_ type: Service.Type = Service.self, name: Resolver.Name? = nil) -> Service? {
        if let kept: Service = kept(type, name) { return kept }
        return lookUp(type, name)
    }
}

// The static spellings of the doors: they ask `root`.

extension Resolver {
    /// The service, from `root`. See the function of the same name on an instance.
    @_alwaysEmitIntoClient
    public static func resolve<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Service {
        let found = found(type, name, as: Service.self)
        if let kept = found.kept { return InstanceBox<Service>.unpack(kept) }
        var service: Service?
        ServiceMemory.filling(&service) {
            make(found.registration, type, as: Service.self, name, .none, fileID, line, into: $0)
        }
        return service!
    }

    /// The service, from `root`. With arguments.
    @_alwaysEmitIntoClient
    public static func resolve<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: Any?,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Service {
        var service: Service?
        ServiceMemory.filling(&service) { memory in
            PassedArguments.with(args) { make(nil, type, as: Service.self, name, $0, fileID, line, into: memory) }
        }
        return service!
    }

    /// The service, from `root`, or nil. See the function of the same name on an instance.
    @_alwaysEmitIntoClient
    public static func optional<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Service? {
        let found = found(type, name, as: Service.self)
        if let kept = found.kept { return InstanceBox<Service>.unpack(kept) }
        var service: Service?
        ServiceMemory.filling(&service) {
            makeIfAny(found.registration, type, as: Service.self, name, .none, fileID, line, into: $0)
        }
        return service
    }

    /// The service, from `root`, or nil. With arguments.
    @_alwaysEmitIntoClient
    public static func optional<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: Any?,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Service? {
        var service: Service?
        ServiceMemory.filling(&service) { memory in
            PassedArguments.with(args) { makeIfAny(nil, type, as: Service.self, name, $0, fileID, line, into: memory) }
        }
        return service
    }

    /// The service, from `root`, or the reason why there is none. See the function of the same name on an instance.
    @_alwaysEmitIntoClient
    public static func tryResolve<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws(ResolutionError) -> Service {
        let found = found(type, name, as: Service.self)
        if let kept = found.kept { return InstanceBox<Service>.unpack(kept) }
        var service: Service?
        try ServiceMemory.filling(&service) { memory throws(ResolutionError) in
            try tryMake(found.registration, type, as: Service.self, name, .none, fileID, line, into: memory)
        }
        return service!
    }

    /// The service, from `root`, or the reason why there is none. With arguments.
    @_alwaysEmitIntoClient
    public static func tryResolve<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: Any?,
        fileID: StaticString = #fileID, line: UInt = #line
    ) throws(ResolutionError) -> Service {
        var service: Service?
        try ServiceMemory.filling(&service) { memory throws(ResolutionError) in
            try PassedArguments.with(args) { args throws(ResolutionError) in
                try tryMake(nil, type, as: Service.self, name, args, fileID, line, into: memory)
            }
        }
        return service!
    }

    /// The instance that is kept for the service, from `root`. See the function of the same name on an instance.
    @_alwaysEmitIntoClient
    public static func existing<Service>(_ type: Service.Type = Service.self, name: Resolver.Name? = nil) -> Service? {
        preparedRoot().existing(type, name: name)
    }

    /// `root`, after the app's registrations have been made: they may replace it.
    @usableFromInline
    static func preparedRoot() -> Resolver {
        if SlowPathReasons.isNone { return first }
        // An error here comes again, and with the service that was asked for, when the root is asked.
        try? Bootstrap.shared.run()
        return root
    }
}
