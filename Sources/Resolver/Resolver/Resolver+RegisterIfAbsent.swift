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
