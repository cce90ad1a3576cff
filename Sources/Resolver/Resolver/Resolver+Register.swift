extension Resolver {
    /// Registers a service by a factory without parameters. See the overload whose factory gets a resolver for the details.
    @_alwaysEmitIntoClient
    @discardableResult
    public func register<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, factory: @escaping ResolverIsolatedFactory<Service>
    ) -> ResolverOptions<Service> {
        ResolverOptions(
            add(
                ResolverRegistration<Service>.self, type, name, fileID, line, isolation: factory.isolation,
                .of(factory)))
    }

    /// Registers a service by a factory that resolves its dependencies.
    ///
    /// The registration replaces an earlier one of the same type and name in this resolver, and the instances of the earlier
    /// one are released. The factory keeps the actor it is isolated to, may throw, and may return nil if there is no service.
    ///
    /// - Parameters:
    ///   - type: the type by which the service is resolved; inferred from the closure.
    ///   - name: distinguishes several registrations of one type.
    ///   - factory: creates the service; gets the resolver of the call.
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
                .of(factory)))
    }

    /// Registers a service by a factory that takes the arguments of the call.
    @_alwaysEmitIntoClient
    @discardableResult
    public func register<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, factory: @escaping ResolverIsolatedFactoryArgumentsN<Service>
    ) -> ResolverOptions<Service> {
        ResolverOptions(
            add(
                ResolverRegistration<Service>.self, type, name, fileID, line, isolation: factory.isolation,
                .of(factory)))
    }

    /// Registers an existing object or value.
    ///
    ///     resolver.registerInstance(MockAPI() as API)
    ///
    /// Every call gets the instance, until another registration replaces this one. The instance need not be `Sendable`, because the
    /// caller gives it up. Like any kept service, an instance that is not `Sendable` must not be used by several threads at a time. (The
    /// function has its own name because `register` takes a trailing closure as its factory.)
    ///
    /// The resolver holds the instance until the resolver ends, even after a replacement or reset. Hooks of `.onRelease` run each time
    /// that the scope releases the instance after a call.
    ///
    /// - Returns: options to add types with `.implements`, and more. The scope is `.cached`.
    @discardableResult
    public func registerInstance<Service>(
        _ instance: sending Service, name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        let instance = UncheckedSendable(value: instance)
        return add(Service.self, name, SourceLocation(fileID: fileID, line: line), in: .cached) { instance.value }
    }

    /// Registers a service without dependencies.
    ///
    /// - Parameter scope: the initial scope; nil for the default.
    func add<Service>(
        _ type: Service.Type, _ name: Resolver.Name?, _ location: SourceLocation, in scope: ResolverScope? = nil,
        making factory: @escaping ResolverIsolatedFactory<Service>
    ) -> ResolverOptions<Service> {
        ResolverOptions(
            add(
                ResolverRegistration<Service>.self, type, name, location, in: scope, .of(factory),
                .isolated(to: factory.isolation)))
    }

    /// Registers a service.
    ///
    /// - Parameters:
    ///   - registration: the class that knows the type of the service.
    ///   - type: the type by which calls find the service.
    @usableFromInline
    func add(
        _ registration: AnyResolverRegistration.Type, _ type: Any.Type, _ name: Resolver.Name?, _ fileID: StaticString,
        _ line: UInt, isolation: (any Actor)?, _ factory: ServiceFactory
    ) -> AnyResolverRegistration {
        add(
            registration, type, name, SourceLocation(fileID: fileID, line: line), in: nil, factory,
            .isolated(to: isolation))
    }

    func add(
        _ registration: AnyResolverRegistration.Type, _ type: Any.Type, _ name: Resolver.Name?,
        _ location: SourceLocation, in scope: ResolverScope?, _ factory: ServiceFactory,
        _ settings: RegistrationPlan.ModifiedSettings?
    ) -> AnyResolverRegistration {
        prepareIfMain()
        let new = self.registration(registration, type, name, location, in: scope, factory, settings)
        table.put(new)
        return new
    }

    /// Creates a registration for this resolver without adding it.
    @inline(__always)
    func registration(
        _ registration: AnyResolverRegistration.Type, _ type: Any.Type, _ name: Resolver.Name?,
        _ location: SourceLocation, in scope: ResolverScope? = nil, _ factory: ServiceFactory,
        _ settings: RegistrationPlan.ModifiedSettings?
    ) -> AnyResolverRegistration {
        registration.init(
            type: ObjectIdentifier(type), name: name, location: location, owner: owner,
            factory: factory, plan: .of(scope ?? effectiveDefaultScope, settings))
    }
}

extension Resolver {
    /// Runs the bootstrap before a change of `main`, so that a test's own registrations come after those of the app.
    func prepareIfMain() {
        if SlowPathReasons.isSet(SlowPathReasons.bootstrap), self === Resolver.main { try? Bootstrap.shared.run() }
    }

    /// Runs the bootstrap, which may replace `main`, and returns the `main` to change.
    @usableFromInline
    static func preparedMain() -> Resolver { Bootstrap.shared.prepared { main } }
}

// MARK: Static functions

extension Resolver {
    /// Registers a service on `main`.
    @_alwaysEmitIntoClient
    @discardableResult
    public static func register<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, factory: @escaping ResolverIsolatedFactory<Service>
    ) -> ResolverOptions<Service> {
        preparedMain().register(type, name: name, fileID: fileID, line: line, factory: factory)
    }

    /// Registers a service on `main` by a factory that resolves its dependencies.
    @_alwaysEmitIntoClient
    @discardableResult
    public static func register<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, factory: @escaping ResolverIsolatedFactoryResolver<Service>
    ) -> ResolverOptions<Service> {
        preparedMain().register(type, name: name, fileID: fileID, line: line, factory: factory)
    }

    /// Registers a service on `main` by a factory that takes the arguments of the call.
    @_alwaysEmitIntoClient
    @discardableResult
    public static func register<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, factory: @escaping ResolverIsolatedFactoryArgumentsN<Service>
    ) -> ResolverOptions<Service> {
        preparedMain().register(type, name: name, fileID: fileID, line: line, factory: factory)
    }

    /// Registers an existing object or value on `main`. See the instance method for the details.
    @discardableResult
    public static func registerInstance<Service>(
        _ instance: sending Service, name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        preparedMain().registerInstance(instance, name: name, fileID: fileID, line: line)
    }

    /// Removes the registration of a service from `main`. See the instance method for the details.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    public static func unregister<Service>(_ type: Service.Type, name: Name? = nil) -> Bool {
        preparedMain().unregister(type, name: name)
    }

    /// Runs `registerAllServices` now, if it has not run yet.
    public func registerServices() { try? Bootstrap.shared.run() }

    /// A closure that runs `registerAllServices`, if it has not run yet.
    ///
    /// Kept for source compatibility with 1.5.1. The library never calls it, so assigning to it has no effect.
    public static var registerServices: (@Sendable () -> Void)? {
        get { registerServicesHook.withLock { $0 } }
        set { registerServicesHook.replace(\.self, by: newValue) }
    }

    private static let registerServicesHook = Guarded<(@Sendable () -> Void)?>({ try? Bootstrap.shared.run() })
}

// Default registrations of a library, which an app may replace.

extension Resolver {
    /// Registers a service by a factory, unless the service is already registered.
    ///
    ///     resolver.register(ifAbsent: Clock.self) { SystemClock() }.scope(.application)
    ///
    /// A service is registered if a call to this resolver finds it: here, in a child, or in a resolver that this one
    /// isolates. An alias whose service is no longer registered does not count. If two threads call this function at once,
    /// only the first one registers the service.
    ///
    /// - Parameters:
    ///   - type: the type by which the service is resolved.
    ///   - name: distinguishes several registrations of one type.
    ///   - factory: creates the service.
    /// - Returns: options to set its scope and more. They have no effect if the service was already registered.
    @discardableResult
    public func register<Service>(
        ifAbsent type: Service.Type, name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        factory: @escaping ResolverIsolatedFactory<Service>
    ) -> ResolverOptions<Service> {
        add(ifAbsent: type, name, fileID, line, factory.isolation, .of(factory))
    }

    /// Registers a service by a factory that resolves its dependencies, unless the service is already registered.
    ///
    /// - Returns: options to set its scope and more. They have no effect if the service was already registered.
    @discardableResult
    public func register<Service>(
        ifAbsent type: Service.Type, name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        factory: @escaping ResolverIsolatedFactoryResolver<Service>
    ) -> ResolverOptions<Service> {
        add(ifAbsent: type, name, fileID, line, factory.isolation, .of(factory))
    }

    /// Registers a service on `main`, unless `main` finds one. See the instance method for the details.
    @discardableResult
    public static func register<Service>(
        ifAbsent type: Service.Type, name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        factory: @escaping ResolverIsolatedFactory<Service>
    ) -> ResolverOptions<Service> {
        preparedMain().register(ifAbsent: type, name: name, fileID: fileID, line: line, factory: factory)
    }

    /// Registers a service on `main` by a factory that resolves its dependencies, unless `main` finds one.
    @discardableResult
    public static func register<Service>(
        ifAbsent type: Service.Type, name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        factory: @escaping ResolverIsolatedFactoryResolver<Service>
    ) -> ResolverOptions<Service> {
        preparedMain().register(ifAbsent: type, name: name, fileID: fileID, line: line, factory: factory)
    }

    private func add<Service>(
        ifAbsent type: Service.Type, _ name: Name?, _ fileID: StaticString, _ line: UInt, _ isolation: (any Actor)?,
        _ factory: ServiceFactory
    ) -> ResolverOptions<Service> {
        prepareIfMain()
        func made(on resolver: Resolver) -> AnyResolverRegistration {
            resolver.registration(
                ResolverRegistration<Service>.self, type, name, SourceLocation(fileID: fileID, line: line), factory,
                .isolated(to: isolation))
        }
        let new = made(on: self)
        // Looks without overrides, because a scope's own registration ends with the scope.
        let found = find(new.serviceKey)?.object
        let isAliasOfNothing = found?.isAliasOfNothing(in: self) ?? false
        if isAliasOfNothing, table.remove(new.serviceKey, where: { $0 === found }) != nil, let found {
            AnyResolverRegistration.retire([found], includingShared: true).run()
        }
        let isAbsent = (found == nil || isAliasOfNothing) && table.put(new, isReplacing: false)
        // Options change a registration and add aliases. If the service was registered already, they do so on a temporary resolver.
        return ResolverOptions(isAbsent ? new : made(on: Resolver()))
    }
}
