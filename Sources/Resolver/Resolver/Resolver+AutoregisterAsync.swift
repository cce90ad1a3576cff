// `autoregister` for asynchronous initializers. Swift treats an initializer that awaits nothing as synchronous.
//
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
