// Wiring by initializer: one function for each number of parameters, as a function with a parameter pack that remembers its actor
// cannot be called synchronously.

extension Resolver {
    /// Registers a service by its initializer, which gets what it needs from the resolver that is asked.
    ///
    ///     resolver.autoregister(Cart.init)
    ///     resolver.autoregister(Database.init(url:pool:)).implements(Store.self).scope(.application)
    ///
    /// Each parameter is resolved by its type, without a name. A parameter whose type is optional gets nil if the type it wraps is not
    /// registered; a parameter of type `Resolver` gets the resolver that was asked. The initializer may throw, return nil, and belong to
    /// an actor. The registration knows what it needs, so `verify()` checks it before anything runs. There are overloads for up to ten
    /// parameters, and the same ones for asynchronous initializers.
    ///
    /// - Parameters:
    ///   - initializer: an initializer, or any function. Default values of its parameters are not used.
    ///   - name: tells several registrations of one type apart.
    /// - Returns: options to set its scope and more.
    @preconcurrency @_alwaysEmitIntoClient @discardableResult
    public func autoregister<Service>(
        _ initializer: @escaping @isolated(any) @Sendable () throws -> Service?, name: Resolver.Name? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        autoregister(
            ResolverRegistration<Service>.self, Service.self, name, fileID, line, initializer.isolation, [],
            ServiceMemory.factory(initializer))
    }

    /// Registers a service by its initializer, which has one parameter.
    @preconcurrency @_alwaysEmitIntoClient @discardableResult
    public func autoregister<Service, D1>(
        _ initializer: @escaping @isolated(any) @Sendable (D1) throws -> Service?, name: Resolver.Name? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        let make = Wired1<Service, D1>.assumed(initializer)
        return autoregister(
            ResolverRegistration<Service>.self, Service.self, name, fileID, line, initializer.isolation, [D1.self]
        ) { r, _, memory in try memory.fill { try make(r.part()) } }
    }

    /// Registers a service by its initializer, which has two parameters.
    @preconcurrency @_alwaysEmitIntoClient @discardableResult
    public func autoregister<Service, D1, D2>(
        _ initializer: @escaping @isolated(any) @Sendable (D1, D2) throws -> Service?, name: Resolver.Name? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        let make = Wired2<Service, D1, D2>.assumed(initializer)
        return autoregister(
            ResolverRegistration<Service>.self, Service.self, name, fileID, line, initializer.isolation,
            [D1.self, D2.self]
        ) { r, _, memory in try memory.fill { try make(r.part(), r.part()) } }
    }

    /// Registers a service by its initializer, which has three parameters.
    @preconcurrency @_alwaysEmitIntoClient @discardableResult
    public func autoregister<Service, D1, D2, D3>(
        _ initializer: @escaping @isolated(any) @Sendable (D1, D2, D3) throws -> Service?, name: Resolver.Name? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        let make = Wired3<Service, D1, D2, D3>.assumed(initializer)
        return autoregister(
            ResolverRegistration<Service>.self, Service.self, name, fileID, line, initializer.isolation,
            [D1.self, D2.self, D3.self]
        ) { r, _, memory in
            try memory.fill { try make(r.part(), r.part(), r.part()) }
        }
    }

    /// Registers a service by its initializer, which has four parameters.
    @preconcurrency @_alwaysEmitIntoClient @discardableResult
    public func autoregister<Service, D1, D2, D3, D4>(
        _ initializer: @escaping @isolated(any) @Sendable (D1, D2, D3, D4) throws -> Service?,
        name: Resolver.Name? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        let make = Wired4<Service, D1, D2, D3, D4>.assumed(initializer)
        return autoregister(
            ResolverRegistration<Service>.self, Service.self, name, fileID, line, initializer.isolation,
            [D1.self, D2.self, D3.self, D4.self]
        ) { r, _, memory in
            try memory.fill {
                try make(r.part(), r.part(), r.part(), r.part())
            }
        }
    }

    /// Registers a service by its initializer, which has five parameters.
    @preconcurrency @_alwaysEmitIntoClient @discardableResult
    public func autoregister<Service, D1, D2, D3, D4, D5>(
        _ initializer: @escaping @isolated(any) @Sendable (D1, D2, D3, D4, D5) throws -> Service?,
        name: Resolver.Name? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        let make = Wired5<Service, D1, D2, D3, D4, D5>.assumed(initializer)
        return autoregister(
            ResolverRegistration<Service>.self, Service.self, name, fileID, line, initializer.isolation,
            [D1.self, D2.self, D3.self, D4.self, D5.self]
        ) { r, _, memory in
            try memory.fill {
                try make(
                    r.part(), r.part(), r.part(), r.part(),
                    r.part())
            }
        }
    }

    /// Registers a service by its initializer, which has six parameters.
    @preconcurrency @_alwaysEmitIntoClient @discardableResult
    public func autoregister<Service, D1, D2, D3, D4, D5, D6>(
        _ initializer: @escaping @isolated(any) @Sendable (D1, D2, D3, D4, D5, D6) throws -> Service?,
        name: Resolver.Name? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        let make = Wired6<Service, D1, D2, D3, D4, D5, D6>.assumed(initializer)
        return autoregister(
            ResolverRegistration<Service>.self, Service.self, name, fileID, line, initializer.isolation,
            [D1.self, D2.self, D3.self, D4.self, D5.self, D6.self]
        ) { r, _, memory in
            try memory.fill {
                try make(
                    r.part(), r.part(), r.part(), r.part(),
                    r.part(), r.part())
            }
        }
    }

    /// Registers a service by its initializer, which has seven parameters.
    @preconcurrency @_alwaysEmitIntoClient @discardableResult
    public func autoregister<Service, D1, D2, D3, D4, D5, D6, D7>(
        _ initializer: @escaping @isolated(any) @Sendable (D1, D2, D3, D4, D5, D6, D7) throws -> Service?,
        name: Resolver.Name? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        let make = Wired7<Service, D1, D2, D3, D4, D5, D6, D7>.assumed(initializer)
        return autoregister(
            ResolverRegistration<Service>.self, Service.self, name, fileID, line, initializer.isolation,
            [D1.self, D2.self, D3.self, D4.self, D5.self, D6.self, D7.self]
        ) { r, _, memory in
            try memory.fill {
                try make(
                    r.part(), r.part(), r.part(), r.part(),
                    r.part(), r.part(), r.part())
            }
        }
    }

    /// Registers a service by its initializer, which has eight parameters.
    @preconcurrency @_alwaysEmitIntoClient @discardableResult
    public func autoregister<Service, D1, D2, D3, D4, D5, D6, D7, D8>(
        _ initializer: @escaping @isolated(any) @Sendable (D1, D2, D3, D4, D5, D6, D7, D8) throws -> Service?,
        name: Resolver.Name? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        let make = Wired8<Service, D1, D2, D3, D4, D5, D6, D7, D8>.assumed(initializer)
        return autoregister(
            ResolverRegistration<Service>.self, Service.self, name, fileID, line, initializer.isolation,
            [D1.self, D2.self, D3.self, D4.self, D5.self, D6.self, D7.self, D8.self]
        ) { r, _, memory in
            try memory.fill {
                try make(
                    r.part(), r.part(), r.part(), r.part(),
                    r.part(), r.part(), r.part(), r.part())
            }
        }
    }

    /// Registers a service by its initializer, which has nine parameters.
    @preconcurrency @_alwaysEmitIntoClient @discardableResult
    public func autoregister<Service, D1, D2, D3, D4, D5, D6, D7, D8, D9>(
        _ initializer: @escaping @isolated(any) @Sendable (D1, D2, D3, D4, D5, D6, D7, D8, D9) throws -> Service?,
        name: Resolver.Name? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        let make = Wired9<Service, D1, D2, D3, D4, D5, D6, D7, D8, D9>.assumed(initializer)
        return autoregister(
            ResolverRegistration<Service>.self, Service.self, name, fileID, line, initializer.isolation,
            [D1.self, D2.self, D3.self, D4.self, D5.self, D6.self, D7.self, D8.self, D9.self]
        ) { r, _, memory in
            try memory.fill {
                try make(
                    r.part(), r.part(), r.part(), r.part(),
                    r.part(), r.part(), r.part(), r.part(),
                    r.part())
            }
        }
    }

    /// Registers a service by its initializer, which has ten parameters.
    @preconcurrency @_alwaysEmitIntoClient @discardableResult
    public func autoregister<Service, D1, D2, D3, D4, D5, D6, D7, D8, D9, D10>(
        _ initializer: @escaping @isolated(any) @Sendable (D1, D2, D3, D4, D5, D6, D7, D8, D9, D10) throws -> Service?,
        name: Resolver.Name? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        let make = Wired10<Service, D1, D2, D3, D4, D5, D6, D7, D8, D9, D10>.assumed(initializer)
        return autoregister(
            ResolverRegistration<Service>.self, Service.self, name, fileID, line, initializer.isolation,
            [D1.self, D2.self, D3.self, D4.self, D5.self, D6.self, D7.self, D8.self, D9.self, D10.self]
        ) { r, _, memory in
            try memory.fill {
                try make(
                    r.part(), r.part(), r.part(), r.part(),
                    r.part(), r.part(), r.part(), r.part(),
                    r.part(), r.part())
            }
        }
    }
}
