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
