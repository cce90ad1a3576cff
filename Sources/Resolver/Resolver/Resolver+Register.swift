extension Resolver {
    /// Registers a service by a closure that makes it. See `register(_:name:factory:)` with a resolver for the details.
    @inlinable
    @discardableResult
    public func register<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, factory: @escaping ResolverIsolatedFactory<Service>
    ) -> ResolverOptions<Service> {
        ResolverOptions(
            add(
                ResolverRegistration<Service>.self, type, name, fileID, line, isolation: factory.isolation,
                ServiceMemory.factory(factory)))
    }

    /// Registers a service by a closure that makes it from others.
    ///
    /// The registration takes the place of an earlier one of the same type and name in this resolver; what that one kept
    /// is released. The closure keeps the actor it is isolated to, may throw, and may return nil for "none".
    ///
    /// - Parameters:
    ///   - type: the type to resolve it by; inferred from the closure.
    ///   - name: tells several registrations of one type apart.
    ///   - factory: makes the service; gets the resolver that was asked.
    /// - Returns: options to set its scope and more.
    @inlinable
    @discardableResult
    public func register<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, factory: @escaping ResolverIsolatedFactoryResolver<Service>
    ) -> ResolverOptions<Service> {
        ResolverOptions(
            add(
                ResolverRegistration<Service>.self, type, name, fileID, line, isolation: factory.isolation,
                ServiceMemory.factory(factory)))
    }

    /// Registers a service by a closure that makes it from others and from the arguments of the call.
    @inlinable
    @discardableResult
    public func register<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, factory: @escaping ResolverIsolatedFactoryArgumentsN<Service>
    ) -> ResolverOptions<Service> {
        ResolverOptions(
            add(
                ResolverRegistration<Service>.self, type, name, fileID, line, isolation: factory.isolation,
                ServiceMemory.factory(factory)))
    }

    /// Registers what is made from nothing else.
    ///
    /// - Parameter scope: what keeps the instance from the start; nil for the default.
    func add<Service>(
        _ type: Service.Type, _ name: Resolver.Name?, _ location: SourceLocation, in scope: ResolverScope? = nil,
        making factory: @escaping ResolverIsolatedFactory<Service>
    ) -> ResolverOptions<Service> {
        ResolverOptions(
            add(
                ResolverRegistration<Service>.self, type, name, location, in: scope, ServiceMemory.factory(factory),
                factory.isolation.map { RegistrationSettings(isolations: [$0]) }))
    }

    /// - Parameters:
    ///   - registration: the class that knows the type of the service.
    ///   - type: what to find it by.
    @usableFromInline
    func add(
        _ registration: AnyResolverRegistration.Type, _ type: Any.Type, _ name: Resolver.Name?, _ fileID: StaticString,
        _ line: UInt, isolation: (any Actor)?, _ factory: @escaping ServiceFactory
    ) -> AnyResolverRegistration {
        add(
            registration, type, name, SourceLocation(fileID: fileID, line: line), in: nil, factory,
            isolation.map { RegistrationSettings(isolations: [$0]) })
    }

    func add(
        _ registration: AnyResolverRegistration.Type, _ type: Any.Type, _ name: Resolver.Name?,
        _ location: SourceLocation, in scope: ResolverScope?, _ factory: @escaping ServiceFactory,
        _ settings: RegistrationSettings?
    ) -> AnyResolverRegistration {
        // A mock registered on `main` at the start of a test must come after the app's own registrations, not before.
        if SlowPathReasons.isSet(SlowPathReasons.bootstrap), self === Resolver.main { try? Bootstrap.shared.run() }
        let new = registration.init(
            key: ServiceKey(type, name), isAlias: false, location: location, owner: owner,
            plan: RegistrationPlan(factory: factory, scope: scope ?? effectiveDefaultScope, settings: settings))
        table.put(new)
        return new
    }
}

// MARK: The static spellings

extension Resolver {
    /// Registers a service on `main`.
    @inlinable
    @discardableResult
    public static func register<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, factory: @escaping ResolverIsolatedFactory<Service>
    ) -> ResolverOptions<Service> {
        main.register(type, name: name, fileID: fileID, line: line, factory: factory)
    }

    /// Registers a service on `main`, made from others.
    @inlinable
    @discardableResult
    public static func register<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, factory: @escaping ResolverIsolatedFactoryResolver<Service>
    ) -> ResolverOptions<Service> {
        main.register(type, name: name, fileID: fileID, line: line, factory: factory)
    }

    /// Registers a service on `main`, made from others and from the arguments of the call.
    @inlinable
    @discardableResult
    public static func register<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, factory: @escaping ResolverIsolatedFactoryArgumentsN<Service>
    ) -> ResolverOptions<Service> {
        main.register(type, name: name, fileID: fileID, line: line, factory: factory)
    }

    /// Runs `registerAllServices` now, if it has not run yet.
    public func registerServices() {
        try? Bootstrap.shared.run()
    }

    /// Runs `registerAllServices` now, if it has not run yet. A variable only because it was one in 1.5.1: the library
    /// never calls it, and assigning to it changes nothing inside.
    public static var registerServices: (@Sendable () -> Void)? {
        get { registerServicesHook.withLock { $0 } }
        set { registerServicesHook.replace(\.self, by: newValue) }
    }

    private static let registerServicesHook = Guarded<(@Sendable () -> Void)?>({ try? Bootstrap.shared.run() })
}
