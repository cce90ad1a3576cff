// The same word for asynchronous factories. A closure that does not await anything is taken for a synchronous one.

extension Resolver {
    /// Registers a service by a closure that makes it asynchronously. See `register(_:name:factory:)` with a resolver for
    /// the details.
    @discardableResult
    public func register<Service: Sendable>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, factory: @escaping ResolverAsyncFactory<Service>
    ) -> ResolverOptions<Service> {
        add(type, name, SourceLocation(fileID: fileID, line: line), awaiting: factory)
    }

    /// Registers a service by a closure that makes it asynchronously from others.
    ///
    ///     register { resolver in try await Store(database: resolver.resolveAsync()) }.scope(.application)
    ///
    /// Resolve it with `resolveAsync` and its kin. Where a scope keeps the instance, the closure runs once, in a task that
    /// belongs to none of the callers: all wait for it, and the cancellation of one does not disturb the others. What it
    /// throws all of them get, and the next call tries again. In scopes that keep nothing it runs in the task that asks.
    ///
    /// Synchronous calls are given the kept instance, or the error `requiresAsync`.
    ///
    /// - Parameters:
    ///   - type: the type to resolve it by; inferred from the closure. It must be `Sendable`, as several tasks may get it.
    ///   - name: tells several registrations of one type apart.
    ///   - factory: makes the service; gets the resolver that was asked.
    /// - Returns: options to set its scope and more.
    @discardableResult
    public func register<Service: Sendable>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, factory: @escaping ResolverAsyncFactoryResolver<Service>
    ) -> ResolverOptions<Service> {
        add(type, name, SourceLocation(fileID: fileID, line: line)) { resolver, _ in
            PackedService(value: try await factory(resolver).map(InstanceBox.pack))
        }
    }

    /// Registers a service by a closure that makes it asynchronously from others and from the arguments of the call.
    @discardableResult
    public func register<Service: Sendable>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, factory: @escaping ResolverAsyncFactoryArgumentsN<Service>
    ) -> ResolverOptions<Service> {
        add(type, name, SourceLocation(fileID: fileID, line: line)) { resolver, args in
            PackedService(value: try await factory(resolver, Args(args.value)).map(InstanceBox.pack))
        }
    }

    /// Registers what is made asynchronously from nothing else.
    ///
    /// - Parameter scope: what keeps the instance from the start; nil for the default.
    func add<Service: Sendable>(
        _ type: Service.Type, _ name: Resolver.Name?, _ location: SourceLocation, in scope: ResolverScope? = nil,
        awaiting factory: @escaping ResolverAsyncFactory<Service>
    ) -> ResolverOptions<Service> {
        add(type, name, location, in: scope) { _, _ in
            PackedService(value: try await factory().map(InstanceBox.pack))
        }
    }

    private func add<Service>(
        _ type: Service.Type, _ name: Resolver.Name?, _ location: SourceLocation, in scope: ResolverScope? = nil,
        _ factory: @escaping AsyncFactory
    ) -> ResolverOptions<Service> {
        let key = ServiceKey(type, name)
        let hand: ServiceFactory = { [owner] resolver, args, memory in
            let cycle = ResolutionCycle.current
            // A wrapper may have kept the factory and call it from anywhere.
            guard let registration = cycle.innermost, registration.owner === owner,
                registration.isFound(by: key, as: ObjectIdentifier(Service.self))
            else {
                throw ResolutionError.requiresAsync(type, name, location)
            }
            return try cycle.handOutMade(by: factory, for: registration, resolver, args, into: memory)
        }
        return ResolverOptions(
            add(
                ResolverRegistration<Service>.self, type, name, location, in: scope, hand,
                .init(RegistrationSettings(asyncFactory: factory))))
    }
}

// MARK: The static spellings

extension Resolver {
    /// Registers a service on `main` that is made asynchronously.
    @discardableResult
    public static func register<Service: Sendable>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, factory: @escaping ResolverAsyncFactory<Service>
    ) -> ResolverOptions<Service> {
        main.register(type, name: name, fileID: fileID, line: line, factory: factory)
    }

    /// Registers a service on `main` that is made asynchronously from others.
    @discardableResult
    public static func register<Service: Sendable>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, factory: @escaping ResolverAsyncFactoryResolver<Service>
    ) -> ResolverOptions<Service> {
        main.register(type, name: name, fileID: fileID, line: line, factory: factory)
    }

    /// Registers a service on `main` that is made asynchronously from others and from the arguments of the call.
    @discardableResult
    public static func register<Service: Sendable>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, factory: @escaping ResolverAsyncFactoryArgumentsN<Service>
    ) -> ResolverOptions<Service> {
        main.register(type, name: name, fileID: fileID, line: line, factory: factory)
    }
}
