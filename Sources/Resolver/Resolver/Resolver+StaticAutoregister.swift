// The static forms of `autoregister`, which use `main`.

extension Resolver {
    /// Registers a service on `main` by its initializer. See the instance method for the details.
    @_alwaysEmitIntoClient @discardableResult
    public static func autoregister<Service>(
        _ initializer: @escaping @isolated(any) @Sendable () throws -> Service?, name: Resolver.Name? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        preparedMain().autoregister(initializer, name: name, fileID: fileID, line: line)
    }

    /// Registers a service on `main` by its initializer with one parameter.
    @_alwaysEmitIntoClient @discardableResult
    public static func autoregister<Service, D1>(
        _ initializer: @escaping @isolated(any) @Sendable (D1) throws -> Service?, name: Resolver.Name? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        preparedMain().autoregister(initializer, name: name, fileID: fileID, line: line)
    }

    /// Registers a service on `main` by its initializer with two parameters.
    @_alwaysEmitIntoClient @discardableResult
    public static func autoregister<Service, D1, D2>(
        _ initializer: @escaping @isolated(any) @Sendable (D1, D2) throws -> Service?, name: Resolver.Name? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        preparedMain().autoregister(initializer, name: name, fileID: fileID, line: line)
    }

    /// Registers a service on `main` by its initializer with three parameters.
    @_alwaysEmitIntoClient @discardableResult
    public static func autoregister<Service, D1, D2, D3>(
        _ initializer: @escaping @isolated(any) @Sendable (D1, D2, D3) throws -> Service?, name: Resolver.Name? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        preparedMain().autoregister(initializer, name: name, fileID: fileID, line: line)
    }

    /// Registers a service on `main` by its initializer with four parameters.
    @_alwaysEmitIntoClient @discardableResult
    public static func autoregister<Service, D1, D2, D3, D4>(
        _ initializer: @escaping @isolated(any) @Sendable (D1, D2, D3, D4) throws -> Service?,
        name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        preparedMain().autoregister(initializer, name: name, fileID: fileID, line: line)
    }

    /// Registers a service on `main` by its initializer with five parameters.
    @_alwaysEmitIntoClient @discardableResult
    public static func autoregister<Service, D1, D2, D3, D4, D5>(
        _ initializer: @escaping @isolated(any) @Sendable (D1, D2, D3, D4, D5) throws -> Service?,
        name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        preparedMain().autoregister(initializer, name: name, fileID: fileID, line: line)
    }

    /// Registers a service on `main` by its initializer with six parameters.
    @_alwaysEmitIntoClient @discardableResult
    public static func autoregister<Service, D1, D2, D3, D4, D5, D6>(
        _ initializer: @escaping @isolated(any) @Sendable (D1, D2, D3, D4, D5, D6) throws -> Service?,
        name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        preparedMain().autoregister(initializer, name: name, fileID: fileID, line: line)
    }

    /// Registers a service on `main` by its initializer with seven parameters.
    @_alwaysEmitIntoClient @discardableResult
    public static func autoregister<Service, D1, D2, D3, D4, D5, D6, D7>(
        _ initializer: @escaping @isolated(any) @Sendable (D1, D2, D3, D4, D5, D6, D7) throws -> Service?,
        name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        preparedMain().autoregister(initializer, name: name, fileID: fileID, line: line)
    }

    /// Registers a service on `main` by its initializer with eight parameters.
    @_alwaysEmitIntoClient @discardableResult
    public static func autoregister<Service, D1, D2, D3, D4, D5, D6, D7, D8>(
        _ initializer: @escaping @isolated(any) @Sendable (D1, D2, D3, D4, D5, D6, D7, D8) throws -> Service?,
        name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        preparedMain().autoregister(initializer, name: name, fileID: fileID, line: line)
    }

    /// Registers a service on `main` by its initializer with nine parameters.
    @_alwaysEmitIntoClient @discardableResult
    public static func autoregister<Service, D1, D2, D3, D4, D5, D6, D7, D8, D9>(
        _ initializer: @escaping @isolated(any) @Sendable (D1, D2, D3, D4, D5, D6, D7, D8, D9) throws -> Service?,
        name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        preparedMain().autoregister(initializer, name: name, fileID: fileID, line: line)
    }

    /// Registers a service on `main` by its initializer with ten parameters.
    @_alwaysEmitIntoClient @discardableResult
    public static func autoregister<Service, D1, D2, D3, D4, D5, D6, D7, D8, D9, D10>(
        _ initializer: @escaping @isolated(any) @Sendable (D1, D2, D3, D4, D5, D6, D7, D8, D9, D10) throws -> Service?,
        name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        preparedMain().autoregister(initializer, name: name, fileID: fileID, line: line)
    }

    /// Registers a service on `main` by its asynchronous initializer. See the instance method for the details.
    @_alwaysEmitIntoClient @discardableResult
    public static func autoregister<Service: Sendable>(
        _ initializer: @escaping @Sendable () async throws -> Service?, name: Resolver.Name? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        preparedMain().autoregister(initializer, name: name, fileID: fileID, line: line)
    }

    /// Registers a service on `main` by its asynchronous initializer with one parameter.
    @_alwaysEmitIntoClient @discardableResult
    public static func autoregister<Service: Sendable, D1: Sendable>(
        _ initializer: @escaping @Sendable (D1) async throws -> Service?, name: Resolver.Name? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        preparedMain().autoregister(initializer, name: name, fileID: fileID, line: line)
    }

    /// Registers a service on `main` by its asynchronous initializer with two parameters.
    @_alwaysEmitIntoClient @discardableResult
    public static func autoregister<Service: Sendable, D1: Sendable, D2: Sendable>(
        _ initializer: @escaping @Sendable (D1, D2) async throws -> Service?, name: Resolver.Name? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        preparedMain().autoregister(initializer, name: name, fileID: fileID, line: line)
    }

    /// Registers a service on `main` by its asynchronous initializer with three parameters.
    @_alwaysEmitIntoClient @discardableResult
    public static func autoregister<Service: Sendable, D1: Sendable, D2: Sendable, D3: Sendable>(
        _ initializer: @escaping @Sendable (D1, D2, D3) async throws -> Service?, name: Resolver.Name? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        preparedMain().autoregister(initializer, name: name, fileID: fileID, line: line)
    }

    /// Registers a service on `main` by its asynchronous initializer with four parameters.
    @_alwaysEmitIntoClient @discardableResult
    public static func autoregister<Service: Sendable, D1: Sendable, D2: Sendable, D3: Sendable, D4: Sendable>(
        _ initializer: @escaping @Sendable (D1, D2, D3, D4) async throws -> Service?, name: Resolver.Name? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        preparedMain().autoregister(initializer, name: name, fileID: fileID, line: line)
    }

    /// Registers a service on `main` by its asynchronous initializer with five parameters.
    @_alwaysEmitIntoClient @discardableResult
    public static func autoregister<
        Service: Sendable, D1: Sendable, D2: Sendable, D3: Sendable, D4: Sendable, D5: Sendable
    >(
        _ initializer: @escaping @Sendable (D1, D2, D3, D4, D5) async throws -> Service?, name: Resolver.Name? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        preparedMain().autoregister(initializer, name: name, fileID: fileID, line: line)
    }

    /// Registers a service on `main` by its asynchronous initializer with six parameters.
    @_alwaysEmitIntoClient @discardableResult
    public static func autoregister<
        Service: Sendable, D1: Sendable, D2: Sendable, D3: Sendable, D4: Sendable, D5: Sendable, D6: Sendable
    >(
        _ initializer: @escaping @Sendable (D1, D2, D3, D4, D5, D6) async throws -> Service?,
        name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        preparedMain().autoregister(initializer, name: name, fileID: fileID, line: line)
    }

    /// Registers a service on `main` by its asynchronous initializer with seven parameters.
    @_alwaysEmitIntoClient @discardableResult
    public static func autoregister<
        Service: Sendable, D1: Sendable, D2: Sendable, D3: Sendable, D4: Sendable, D5: Sendable, D6: Sendable,
        D7: Sendable
    >(
        _ initializer: @escaping @Sendable (D1, D2, D3, D4, D5, D6, D7) async throws -> Service?,
        name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        preparedMain().autoregister(initializer, name: name, fileID: fileID, line: line)
    }

    /// Registers a service on `main` by its asynchronous initializer with eight parameters.
    @_alwaysEmitIntoClient @discardableResult
    public static func autoregister<
        Service: Sendable, D1: Sendable, D2: Sendable, D3: Sendable, D4: Sendable, D5: Sendable, D6: Sendable,
        D7: Sendable, D8: Sendable
    >(
        _ initializer: @escaping @Sendable (D1, D2, D3, D4, D5, D6, D7, D8) async throws -> Service?,
        name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        preparedMain().autoregister(initializer, name: name, fileID: fileID, line: line)
    }

    /// Registers a service on `main` by its asynchronous initializer with nine parameters.
    @_alwaysEmitIntoClient @discardableResult
    public static func autoregister<
        Service: Sendable, D1: Sendable, D2: Sendable, D3: Sendable, D4: Sendable, D5: Sendable, D6: Sendable,
        D7: Sendable, D8: Sendable, D9: Sendable
    >(
        _ initializer: @escaping @Sendable (D1, D2, D3, D4, D5, D6, D7, D8, D9) async throws -> Service?,
        name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        preparedMain().autoregister(initializer, name: name, fileID: fileID, line: line)
    }

    /// Registers a service on `main` by its asynchronous initializer with ten parameters.
    @_alwaysEmitIntoClient @discardableResult
    public static func autoregister<
        Service: Sendable, D1: Sendable, D2: Sendable, D3: Sendable, D4: Sendable, D5: Sendable, D6: Sendable,
        D7: Sendable, D8: Sendable, D9: Sendable, D10: Sendable
    >(
        _ initializer: @escaping @Sendable (D1, D2, D3, D4, D5, D6, D7, D8, D9, D10) async throws -> Service?,
        name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        preparedMain().autoregister(initializer, name: name, fileID: fileID, line: line)
    }
}
