// `register` and `autoregister` for what is asynchronous. Swift treats a closure or an initializer that awaits nothing as synchronous.

extension Resolver {
    /// Registers a service by an asynchronous factory without parameters. See the overload whose factory gets a resolver for the
    /// details.
    @discardableResult
    public func register<Service: Sendable>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, factory: @escaping ResolverAsyncFactory<Service>
    ) -> ResolverOptions<Service> {
        add(type, name, SourceLocation(fileID: fileID, line: line), awaiting: factory)
    }

    /// Registers a service by an asynchronous factory that resolves its dependencies.
    ///
    ///     register { resolver in try await Store(database: resolver.resolveAsync()) }.scope(.application)
    ///
    /// Resolve it with `resolveAsync` or `optionalAsync`. Where a scope keeps the instance, the factory runs once, in a task
    /// that belongs to no caller. All callers wait for that task, and the cancellation of one does not affect the others. If
    /// the factory throws, all of them get the error, and the next call tries again. In scopes that keep nothing, the factory
    /// runs in the caller's task.
    ///
    /// Synchronous calls get the kept instance, or the error `requiresAsync`.
    ///
    /// - Parameters:
    ///   - type: the type by which the service is resolved; inferred from the closure. It must be `Sendable`, because several
    ///     tasks may get the service.
    ///   - name: distinguishes several registrations of one type.
    ///   - factory: creates the service; gets the resolver of the call.
    /// - Returns: options to set its scope and more.
    @discardableResult
    public func register<Service: Sendable>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, factory: @escaping ResolverAsyncFactoryResolver<Service>
    ) -> ResolverOptions<Service> {
        add(type, name, SourceLocation(fileID: fileID, line: line)) { resolver, _ in
            PackedService(value: try await factory(resolver).map(InstanceBox.packToKeep))
        }
    }

    /// Registers a service by an asynchronous factory that takes the arguments of the call.
    @discardableResult
    public func register<Service: Sendable>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, factory: @escaping ResolverAsyncFactoryArgumentsN<Service>
    ) -> ResolverOptions<Service> {
        add(type, name, SourceLocation(fileID: fileID, line: line)) { resolver, args in
            PackedService(value: try await factory(resolver, Args(args?.value)).map(InstanceBox.packToKeep))
        }
    }

    /// Registers an asynchronous service without dependencies.
    ///
    /// - Parameter scope: the initial scope; nil for the default.
    func add<Service: Sendable>(
        _ type: Service.Type, _ name: Resolver.Name?, _ location: SourceLocation, in scope: ResolverScope? = nil,
        awaiting factory: @escaping ResolverAsyncFactory<Service>
    ) -> ResolverOptions<Service> {
        add(type, name, location, in: scope) { _, _ in
            PackedService(value: try await factory().map(InstanceBox.packToKeep))
        }
    }

    private func add<Service>(
        _ type: Service.Type, _ name: Resolver.Name?, _ location: SourceLocation, in scope: ResolverScope? = nil,
        _ factory: @escaping AsyncFactory
    ) -> ResolverOptions<Service> {
        let key = ServiceKey(type, name)
        let hand: ServiceFactory.Function = { [owner] resolver, args, memory in
            let cycle = ResolutionCycle.current
            // A wrapper may have stored the factory and may call it from anywhere.
            guard let registration = cycle.innermost, registration.owner === owner, registration.serviceKey == key
            else {
                throw ResolutionError.requiresAsync(ResolutionError.hop(type, name, location))
            }
            let made = try cycle.factoryResult(of: factory, for: registration, resolver, args, isHandedOut: true)
            return try made.result.get().map { try registration.unpackKept($0, into: memory) } ?? false
        }
        return ResolverOptions(
            add(
                ResolverRegistration<Service>.self, type, name, location, in: scope, .function(hand),
                .init(RegistrationSettings(asyncFactory: factory))))
    }
}

// MARK: Static functions

extension Resolver {
    /// Registers a service on `main` by an asynchronous factory.
    @discardableResult
    public static func register<Service: Sendable>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, factory: @escaping ResolverAsyncFactory<Service>
    ) -> ResolverOptions<Service> {
        preparedMain().register(type, name: name, fileID: fileID, line: line, factory: factory)
    }

    /// Registers a service on `main` by an asynchronous factory that resolves its dependencies.
    @discardableResult
    public static func register<Service: Sendable>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, factory: @escaping ResolverAsyncFactoryResolver<Service>
    ) -> ResolverOptions<Service> {
        preparedMain().register(type, name: name, fileID: fileID, line: line, factory: factory)
    }

    /// Registers a service on `main` by an asynchronous factory that takes the arguments of the call.
    @discardableResult
    public static func register<Service: Sendable>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, factory: @escaping ResolverAsyncFactoryArgumentsN<Service>
    ) -> ResolverOptions<Service> {
        preparedMain().register(type, name: name, fileID: fileID, line: line, factory: factory)
    }
}

// MARK: `autoregister`

// There is one function for each number of parameters: with a parameter pack, Swift 6.3 also accepts functions with `inout` or variadic
// parameters, and crashes while it compiles them.

extension Resolver {
    /// Registers a service by its asynchronous initializer, whose parameters are resolved.
    ///
    /// Resolve it with `resolveAsync`. Its dependencies may be asynchronous or isolated to other actors, and must be
    /// `Sendable`.
    @_alwaysEmitIntoClient @discardableResult
    public func autoregister<Service: Sendable>(
        _ initializer: @escaping @Sendable () async throws -> Service?, name: Resolver.Name? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        register(Service.self, name: name, fileID: fileID, line: line) { r in
            try await initializer()
        }.needingParameters([])
    }

    /// Registers a service by its asynchronous initializer with one parameter.
    @_alwaysEmitIntoClient @discardableResult
    public func autoregister<Service: Sendable, D1: Sendable>(
        _ initializer: @escaping @Sendable (D1) async throws -> Service?, name: Resolver.Name? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        register(Service.self, name: name, fileID: fileID, line: line) { r in
            try await initializer(r.partAsync())
        }.needingParameters([D1.self])
    }

    /// Registers a service by its asynchronous initializer with two parameters.
    @_alwaysEmitIntoClient @discardableResult
    public func autoregister<Service: Sendable, D1: Sendable, D2: Sendable>(
        _ initializer: @escaping @Sendable (D1, D2) async throws -> Service?, name: Resolver.Name? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        register(Service.self, name: name, fileID: fileID, line: line) { r in
            try await initializer(r.partAsync(), r.partAsync())
        }.needingParameters([D1.self, D2.self])
    }

    /// Registers a service by its asynchronous initializer with three parameters.
    @_alwaysEmitIntoClient @discardableResult
    public func autoregister<Service: Sendable, D1: Sendable, D2: Sendable, D3: Sendable>(
        _ initializer: @escaping @Sendable (D1, D2, D3) async throws -> Service?, name: Resolver.Name? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        register(Service.self, name: name, fileID: fileID, line: line) { r in
            try await initializer(r.partAsync(), r.partAsync(), r.partAsync())
        }.needingParameters([D1.self, D2.self, D3.self])
    }

    /// Registers a service by its asynchronous initializer with four parameters.
    @_alwaysEmitIntoClient @discardableResult
    public func autoregister<Service: Sendable, D1: Sendable, D2: Sendable, D3: Sendable, D4: Sendable>(
        _ initializer: @escaping @Sendable (D1, D2, D3, D4) async throws -> Service?, name: Resolver.Name? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        register(Service.self, name: name, fileID: fileID, line: line) { r in
            try await initializer(r.partAsync(), r.partAsync(), r.partAsync(), r.partAsync())
        }.needingParameters([D1.self, D2.self, D3.self, D4.self])
    }

    /// Registers a service by its asynchronous initializer with five parameters.
    @_alwaysEmitIntoClient @discardableResult
    public func autoregister<Service: Sendable, D1: Sendable, D2: Sendable, D3: Sendable, D4: Sendable, D5: Sendable>(
        _ initializer: @escaping @Sendable (D1, D2, D3, D4, D5) async throws -> Service?, name: Resolver.Name? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        register(Service.self, name: name, fileID: fileID, line: line) { r in
            try await initializer(r.partAsync(), r.partAsync(), r.partAsync(), r.partAsync(), r.partAsync())
        }.needingParameters([D1.self, D2.self, D3.self, D4.self, D5.self])
    }

    /// Registers a service by its asynchronous initializer with six parameters.
    @_alwaysEmitIntoClient @discardableResult
    public func autoregister<
        Service: Sendable, D1: Sendable, D2: Sendable, D3: Sendable, D4: Sendable, D5: Sendable, D6: Sendable
    >(
        _ initializer: @escaping @Sendable (D1, D2, D3, D4, D5, D6) async throws -> Service?,
        name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        register(Service.self, name: name, fileID: fileID, line: line) { r in
            try await initializer(
                r.partAsync(), r.partAsync(), r.partAsync(), r.partAsync(), r.partAsync(), r.partAsync())
        }.needingParameters([D1.self, D2.self, D3.self, D4.self, D5.self, D6.self])
    }

    /// Registers a service by its asynchronous initializer with seven parameters.
    @_alwaysEmitIntoClient @discardableResult
    public func autoregister<
        Service: Sendable, D1: Sendable, D2: Sendable, D3: Sendable, D4: Sendable, D5: Sendable, D6: Sendable,
        D7: Sendable
    >(
        _ initializer: @escaping @Sendable (D1, D2, D3, D4, D5, D6, D7) async throws -> Service?,
        name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        register(Service.self, name: name, fileID: fileID, line: line) { r in
            try await initializer(
                r.partAsync(), r.partAsync(), r.partAsync(), r.partAsync(), r.partAsync(), r.partAsync(), r.partAsync())
        }.needingParameters([D1.self, D2.self, D3.self, D4.self, D5.self, D6.self, D7.self])
    }

    /// Registers a service by its asynchronous initializer with eight parameters.
    @_alwaysEmitIntoClient @discardableResult
    public func autoregister<
        Service: Sendable, D1: Sendable, D2: Sendable, D3: Sendable, D4: Sendable, D5: Sendable, D6: Sendable,
        D7: Sendable, D8: Sendable
    >(
        _ initializer: @escaping @Sendable (D1, D2, D3, D4, D5, D6, D7, D8) async throws -> Service?,
        name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        register(Service.self, name: name, fileID: fileID, line: line) { r in
            try await initializer(
                r.partAsync(), r.partAsync(), r.partAsync(), r.partAsync(), r.partAsync(), r.partAsync(), r.partAsync(),
                r.partAsync())
        }.needingParameters([D1.self, D2.self, D3.self, D4.self, D5.self, D6.self, D7.self, D8.self])
    }

    /// Registers a service by its asynchronous initializer with nine parameters.
    @_alwaysEmitIntoClient @discardableResult
    public func autoregister<
        Service: Sendable, D1: Sendable, D2: Sendable, D3: Sendable, D4: Sendable, D5: Sendable, D6: Sendable,
        D7: Sendable, D8: Sendable, D9: Sendable
    >(
        _ initializer: @escaping @Sendable (D1, D2, D3, D4, D5, D6, D7, D8, D9) async throws -> Service?,
        name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        register(Service.self, name: name, fileID: fileID, line: line) { r in
            try await initializer(
                r.partAsync(), r.partAsync(), r.partAsync(), r.partAsync(), r.partAsync(), r.partAsync(), r.partAsync(),
                r.partAsync(), r.partAsync())
        }.needingParameters([D1.self, D2.self, D3.self, D4.self, D5.self, D6.self, D7.self, D8.self, D9.self])
    }

    /// Registers a service by its asynchronous initializer with ten parameters.
    @_alwaysEmitIntoClient @discardableResult
    public func autoregister<
        Service: Sendable, D1: Sendable, D2: Sendable, D3: Sendable, D4: Sendable, D5: Sendable, D6: Sendable,
        D7: Sendable, D8: Sendable, D9: Sendable, D10: Sendable
    >(
        _ initializer: @escaping @Sendable (D1, D2, D3, D4, D5, D6, D7, D8, D9, D10) async throws -> Service?,
        name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        register(Service.self, name: name, fileID: fileID, line: line) { r in
            try await initializer(
                r.partAsync(), r.partAsync(), r.partAsync(), r.partAsync(), r.partAsync(), r.partAsync(), r.partAsync(),
                r.partAsync(), r.partAsync(), r.partAsync())
        }.needingParameters([D1.self, D2.self, D3.self, D4.self, D5.self, D6.self, D7.self, D8.self, D9.self, D10.self])
    }
}
