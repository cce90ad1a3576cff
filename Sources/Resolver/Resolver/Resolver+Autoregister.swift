// There is one function for each number of parameters: a function with a parameter pack and a dynamic isolation cannot be
// called synchronously.

extension Resolver {
    /// Registers a service by its initializer, whose parameters are resolved.
    ///
    ///     resolver.autoregister(Cart.init)
    ///     resolver.autoregister(Database.init(url:pool:)).implements(Store.self).scope(.application)
    ///
    /// Each parameter is resolved by its type, without a name, from the resolver of the call. A parameter of an optional type
    /// gets nil if the wrapped type is not registered; a parameter of type `Resolver` gets the resolver of the call, unless one
    /// is registered. The initializer may throw, return nil, and be isolated to an actor. The parameters are the declared dependencies, which
    /// `verify()` checks before any code runs. There are overloads for up to ten parameters, also for asynchronous
    /// initializers.
    ///
    /// - Parameters:
    ///   - initializer: an initializer, or any function. Default values of its parameters are not used.
    ///   - name: distinguishes several registrations of one type.
    /// - Returns: options to set its scope and more.
    @_alwaysEmitIntoClient @discardableResult
    public func autoregister<Service>(
        _ initializer: @escaping @isolated(any) @Sendable () throws -> Service?, name: Resolver.Name? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        let make: @Sendable () throws -> Service? = Isolation.assumed(Plain.Isolated(call: initializer))
        return autoregister(
            ResolverRegistration<Service>.self, Service.self, name, fileID, line, initializer.isolation, []
        ) { _, _, memory in try memory.put(make()) }
    }

    /// Registers a service by its initializer with one parameter.
    @_alwaysEmitIntoClient @discardableResult
    public func autoregister<Service, D1>(
        _ initializer: @escaping @isolated(any) @Sendable (D1) throws -> Service?, name: Resolver.Name? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        let make: @Sendable (D1) throws -> Service? = Isolation.assumed(Wired1(initializer))
        return autoregister(
            ResolverRegistration<Service>.self, Service.self, name, fileID, line, initializer.isolation, [D1.self]
        ) { r, _, memory in try memory.put(make(r.part())) }
    }

    /// Registers a service by its initializer with two parameters.
    @_alwaysEmitIntoClient @discardableResult
    public func autoregister<Service, D1, D2>(
        _ initializer: @escaping @isolated(any) @Sendable (D1, D2) throws -> Service?, name: Resolver.Name? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        let make: @Sendable (D1, D2) throws -> Service? = Isolation.assumed(Wired2(initializer))
        return autoregister(
            ResolverRegistration<Service>.self, Service.self, name, fileID, line, initializer.isolation,
            [D1.self, D2.self]
        ) { r, _, memory in try memory.put(make(r.part(), r.part())) }
    }

    /// Registers a service by its initializer with three parameters.
    @_alwaysEmitIntoClient @discardableResult
    public func autoregister<Service, D1, D2, D3>(
        _ initializer: @escaping @isolated(any) @Sendable (D1, D2, D3) throws -> Service?, name: Resolver.Name? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        let make: @Sendable (D1, D2, D3) throws -> Service? = Isolation.assumed(Wired3(initializer))
        return autoregister(
            ResolverRegistration<Service>.self, Service.self, name, fileID, line, initializer.isolation,
            [D1.self, D2.self, D3.self]
        ) { r, _, memory in try memory.put(make(r.part(), r.part(), r.part())) }
    }

    /// Registers a service by its initializer with four parameters.
    @_alwaysEmitIntoClient @discardableResult
    public func autoregister<Service, D1, D2, D3, D4>(
        _ initializer: @escaping @isolated(any) @Sendable (D1, D2, D3, D4) throws -> Service?,
        name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        let make: @Sendable (D1, D2, D3, D4) throws -> Service? = Isolation.assumed(Wired4(initializer))
        return autoregister(
            ResolverRegistration<Service>.self, Service.self, name, fileID, line, initializer.isolation,
            [D1.self, D2.self, D3.self, D4.self]
        ) { r, _, memory in try memory.put(make(r.part(), r.part(), r.part(), r.part())) }
    }

    /// Registers a service by its initializer with five parameters.
    @_alwaysEmitIntoClient @discardableResult
    public func autoregister<Service, D1, D2, D3, D4, D5>(
        _ initializer: @escaping @isolated(any) @Sendable (D1, D2, D3, D4, D5) throws -> Service?,
        name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        let make: @Sendable (D1, D2, D3, D4, D5) throws -> Service? = Isolation.assumed(Wired5(initializer))
        return autoregister(
            ResolverRegistration<Service>.self, Service.self, name, fileID, line, initializer.isolation,
            [D1.self, D2.self, D3.self, D4.self, D5.self]
        ) { r, _, memory in try memory.put(make(r.part(), r.part(), r.part(), r.part(), r.part())) }
    }

    /// Registers a service by its initializer with six parameters.
    @_alwaysEmitIntoClient @discardableResult
    public func autoregister<Service, D1, D2, D3, D4, D5, D6>(
        _ initializer: @escaping @isolated(any) @Sendable (D1, D2, D3, D4, D5, D6) throws -> Service?,
        name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        let make: @Sendable (D1, D2, D3, D4, D5, D6) throws -> Service? = Isolation.assumed(Wired6(initializer))
        return autoregister(
            ResolverRegistration<Service>.self, Service.self, name, fileID, line, initializer.isolation,
            [D1.self, D2.self, D3.self, D4.self, D5.self, D6.self]
        ) { r, _, memory in try memory.put(make(r.part(), r.part(), r.part(), r.part(), r.part(), r.part())) }
    }

    /// Registers a service by its initializer with seven parameters.
    @_alwaysEmitIntoClient @discardableResult
    public func autoregister<Service, D1, D2, D3, D4, D5, D6, D7>(
        _ initializer: @escaping @isolated(any) @Sendable (D1, D2, D3, D4, D5, D6, D7) throws -> Service?,
        name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        let make: @Sendable (D1, D2, D3, D4, D5, D6, D7) throws -> Service? = Isolation.assumed(Wired7(initializer))
        return autoregister(
            ResolverRegistration<Service>.self, Service.self, name, fileID, line, initializer.isolation,
            [D1.self, D2.self, D3.self, D4.self, D5.self, D6.self, D7.self]
        ) { r, _, memory in try memory.put(make(r.part(), r.part(), r.part(), r.part(), r.part(), r.part(), r.part())) }
    }

    /// Registers a service by its initializer with eight parameters.
    @_alwaysEmitIntoClient @discardableResult
    public func autoregister<Service, D1, D2, D3, D4, D5, D6, D7, D8>(
        _ initializer: @escaping @isolated(any) @Sendable (D1, D2, D3, D4, D5, D6, D7, D8) throws -> Service?,
        name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        let make: @Sendable (D1, D2, D3, D4, D5, D6, D7, D8) throws -> Service? = Isolation.assumed(Wired8(initializer))
        return autoregister(
            ResolverRegistration<Service>.self, Service.self, name, fileID, line, initializer.isolation,
            [D1.self, D2.self, D3.self, D4.self, D5.self, D6.self, D7.self, D8.self]
        ) { r, _, memory in
            try memory.put(make(r.part(), r.part(), r.part(), r.part(), r.part(), r.part(), r.part(), r.part()))
        }
    }

    /// Registers a service by its initializer with nine parameters.
    @_alwaysEmitIntoClient @discardableResult
    public func autoregister<Service, D1, D2, D3, D4, D5, D6, D7, D8, D9>(
        _ initializer: @escaping @isolated(any) @Sendable (D1, D2, D3, D4, D5, D6, D7, D8, D9) throws -> Service?,
        name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        let make: @Sendable (D1, D2, D3, D4, D5, D6, D7, D8, D9) throws -> Service? =
            Isolation.assumed(Wired9(initializer))
        return autoregister(
            ResolverRegistration<Service>.self, Service.self, name, fileID, line, initializer.isolation,
            [D1.self, D2.self, D3.self, D4.self, D5.self, D6.self, D7.self, D8.self, D9.self]
        ) { r, _, memory in
            try memory.put(
                make(r.part(), r.part(), r.part(), r.part(), r.part(), r.part(), r.part(), r.part(), r.part()))
        }
    }

    /// Registers a service by its initializer with ten parameters.
    @_alwaysEmitIntoClient @discardableResult
    public func autoregister<Service, D1, D2, D3, D4, D5, D6, D7, D8, D9, D10>(
        _ initializer: @escaping @isolated(any) @Sendable (D1, D2, D3, D4, D5, D6, D7, D8, D9, D10) throws -> Service?,
        name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        let make: @Sendable (D1, D2, D3, D4, D5, D6, D7, D8, D9, D10) throws -> Service? =
            Isolation.assumed(Wired10(initializer))
        return autoregister(
            ResolverRegistration<Service>.self, Service.self, name, fileID, line, initializer.isolation,
            [D1.self, D2.self, D3.self, D4.self, D5.self, D6.self, D7.self, D8.self, D9.self, D10.self]
        ) { r, _, memory in
            try memory.put(
                make(r.part(), r.part(), r.part(), r.part(), r.part(), r.part(), r.part(), r.part(), r.part(), r.part())
            )
        }
    }
}
