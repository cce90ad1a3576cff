extension Resolver {
    /// Registers a service by a closure that makes it. See `register(_:name:factory:)` with a resolver for the details.
    @_alwaysEmitIntoClient
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
    @_alwaysEmitIntoClient
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
    @_alwaysEmitIntoClient
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

    /// Registers an object or value that exists already. It need not be `Sendable`: the caller gives it away. (Another word than `register`,
    /// which takes the closure that follows it for a factory.)
    ///
    ///     resolver.registerInstance(MockAPI() as API)
    ///
    /// The registration holds it, and every call gets it, until another one takes its place. An instance that is not `Sendable` must not
    /// be used by several threads at a time, as with any service that is kept.
    ///
    /// - Returns: options to set names it `.implements`, and more. The scope is `.cached`.
    @discardableResult
    public func registerInstance<Service>(
        _ instance: sending Service, name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        let instance = UncheckedSendable(value: instance)
        return add(Service.self, name, SourceLocation(fileID: fileID, line: line), in: .cached) { instance.value }
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
                .isolated(to: factory.isolation)))
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
            .isolated(to: isolation))
    }

    func add(
        _ registration: AnyResolverRegistration.Type, _ type: Any.Type, _ name: Resolver.Name?,
        _ location: SourceLocation, in scope: ResolverScope?, _ factory: @escaping ServiceFactory,
        _ settings: RegistrationPlan.ModifiedSettings?
    ) -> AnyResolverRegistration {
        prepareIfMain()
        let new = self.registration(registration, type, name, location, in: scope, factory, settings)
        table.put(new)
        return new
    }

    /// A registration for this resolver, which does not have it yet.
    @inline(__always)
    func registration(
        _ registration: AnyResolverRegistration.Type, _ type: Any.Type, _ name: Resolver.Name?,
        _ location: SourceLocation, in scope: ResolverScope? = nil, _ factory: @escaping ServiceFactory,
        _ settings: RegistrationPlan.ModifiedSettings?
    ) -> AnyResolverRegistration {
        registration.init(
            key: ServiceKey(type, name), isAlias: false, location: location, owner: owner,
            plan: RegistrationPlan(factory, scope ?? effectiveDefaultScope, settings))
    }
}

extension Resolver {
    /// What is registered on `main`, or removed, at the start of a test must come after the app's own registrations, not before.
    func prepareIfMain() {
        if SlowPathReasons.isSet(SlowPathReasons.bootstrap), self === Resolver.main { try? Bootstrap.shared.run() }
    }
}

// MARK: The static spellings

extension Resolver {
    /// Registers a service on `main`.
    @_alwaysEmitIntoClient
    @discardableResult
    public static func register<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, factory: @escaping ResolverIsolatedFactory<Service>
    ) -> ResolverOptions<Service> {
        main.register(type, name: name, fileID: fileID, line: line, factory: factory)
    }

    /// Registers a service on `main`, made from others.
    @_alwaysEmitIntoClient
    @discardableResult
    public static func register<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, factory: @escaping ResolverIsolatedFactoryResolver<Service>
    ) -> ResolverOptions<Service> {
        main.register(type, name: name, fileID: fileID, line: line, factory: factory)
    }

    /// Registers a service on `main`, made from others and from the arguments of the call.
    @_alwaysEmitIntoClient
    @discardableResult
    public static func register<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, factory: @escaping ResolverIsolatedFactoryArgumentsN<Service>
    ) -> ResolverOptions<Service> {
        main.register(type, name: name, fileID: fileID, line: line, factory: factory)
    }

    /// Registers on `main` an object or value that exists already. See the function of the same name on an instance.
    @discardableResult
    public static func registerInstance<Service>(
        _ instance: sending Service, name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        main.registerInstance(instance, name: name, fileID: fileID, line: line)
    }

    /// Removes the registration of a service from `main`. See the function of the same name on an instance.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    public static func unregister<Service>(_ type: Service.Type, name: Name? = nil) -> Bool {
        main.unregister(type, name: name)
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

// Defaults, as a library has them for what an app may bring itself.

extension Resolver {
    /// Registers a service by a closure that makes it, unless it is registered.
    ///
    ///     resolver.register(ifAbsent: Clock.self) { SystemClock() }.scope(.application)
    ///
    /// It is registered if a call to this resolver finds it: here, in a child, or in a resolver that this one isolates. Of two threads
    /// that do so at the same time, the first one registers.
    ///
    /// - Parameters:
    ///   - type: the type to resolve it by.
    ///   - name: tells several registrations of one type apart.
    ///   - factory: makes the service.
    /// - Returns: options to set its scope and more. They have no effect if the service was registered.
    @discardableResult
    public func register<Service>(
        ifAbsent type: Service.Type, name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        factory: @escaping ResolverIsolatedFactory<Service>
    ) -> ResolverOptions<Service> {
        add(ifAbsent: type, name, fileID, line, factory.isolation, ServiceMemory.factory(factory))
    }

    /// Registers a service by a closure that makes it from others, unless it is registered.
    ///
    /// - Returns: options to set its scope and more. They have no effect if the service was registered.
    @discardableResult
    public func register<Service>(
        ifAbsent type: Service.Type, name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        factory: @escaping ResolverIsolatedFactoryResolver<Service>
    ) -> ResolverOptions<Service> {
        add(ifAbsent: type, name, fileID, line, factory.isolation, ServiceMemory.factory(factory))
    }

    /// Registers a service on `main`, unless `main` finds it. See the function of the same name on an instance.
    @discardableResult
    public static func register<Service>(
        ifAbsent type: Service.Type, name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        factory: @escaping ResolverIsolatedFactory<Service>
    ) -> ResolverOptions<Service> {
        main.register(ifAbsent: type, name: name, fileID: fileID, line: line, factory: factory)
    }

    /// Registers a service on `main`, made from others, unless `main` finds it.
    @discardableResult
    public static func register<Service>(
        ifAbsent type: Service.Type, name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        factory: @escaping ResolverIsolatedFactoryResolver<Service>
    ) -> ResolverOptions<Service> {
        main.register(ifAbsent: type, name: name, fileID: fileID, line: line, factory: factory)
    }

    private func add<Service>(
        ifAbsent type: Service.Type, _ name: Name?, _ fileID: StaticString, _ line: UInt, _ isolation: (any Actor)?,
        _ factory: @escaping ServiceFactory
    ) -> ResolverOptions<Service> {
        prepareIfMain()
        func made(on resolver: Resolver) -> AnyResolverRegistration {
            resolver.registration(
                ResolverRegistration<Service>.self, type, name, SourceLocation(fileID: fileID, line: line), factory,
                .isolated(to: isolation))
        }
        let new = made(on: self)
        let isAbsent = findSeen(new.serviceKey, as: new.service) == nil && table.put(new, isReplacing: false)
        // Options change a registration, and register what it implements; here, on a resolver that is gone.
        return ResolverOptions(isAbsent ? new : made(on: Resolver()))
    }
}
