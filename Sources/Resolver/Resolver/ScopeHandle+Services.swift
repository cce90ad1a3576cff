extension ScopeHandle {
    /// Runs `body` with this scope as the current one of its kind.
    @_alwaysEmitIntoClient
    @discardableResult
    public func run<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        var result: Swift.Result<Result, Failure>!
        enter { result = Swift.Result(catching: body) }
        return try result.get()
    }

    @usableFromInline
    func enter(_ body: () -> Void) {
        _ = endIfExpired(isUse: true)
        ScopeFrame.entering(self, body)
    }

    /// Runs asynchronous `body` with this scope as the current one of its kind, on the caller's actor.
    ///
    /// Child tasks, and tasks that `body` starts, belong to the scope too.
    @_alwaysEmitIntoClient
    @discardableResult
    nonisolated(nonsending) public func run<Result, Failure: Error>(
        _ body: nonisolated(nonsending) () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        var result: Swift.Result<Result, Failure>!
        await enter {
            do throws(Failure) { result = .success(try await body()) } catch { result = .failure(error) }
        }
        return try result.get()
    }

    @usableFromInline
    nonisolated(nonsending) func enter(_ body: nonisolated(nonsending) () async -> Void) async {
        _ = endIfExpired(isUse: true)
        await ScopeFrame.entering(self, body)
    }

    /// Registers a service for this scope only.
    ///
    /// - Returns: nil if the scope has ended. The service is then not registered.
    @discardableResult
    public func register<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, factory: @escaping ResolverIsolatedFactory<Service>
    ) -> ResolverOptions<Service>? {
        makeRegistrations()?
            .add(type, name, SourceLocation(fileID: fileID, line: line), in: PerContextScope.of(kind), making: factory)
    }

    /// Registers an asynchronous service for this scope only.
    ///
    /// - Returns: nil if the scope has ended. The service is then not registered.
    @discardableResult
    public func register<Service: Sendable>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, factory: @escaping ResolverAsyncFactory<Service>
    ) -> ResolverOptions<Service>? {
        makeRegistrations()?
            .add(
                type, name, SourceLocation(fileID: fileID, line: line), in: PerContextScope.of(kind), awaiting: factory)
    }

    // MARK: Resolving: `Resolver.root` is asked inside this scope

    /// Returns a service from `Resolver.root`, resolved inside this scope. Traps as `Resolver.resolve` does.
    @_alwaysEmitIntoClient
    public func resolve<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: Any? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Service {
        run { Resolver.resolve(type, name: name, args: args, fileID: fileID, line: line) }
    }

    /// Returns a service resolved inside this scope, or nil.
    @_alwaysEmitIntoClient
    public func optional<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: Any? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Service? {
        run { Resolver.optional(type, name: name, args: args, fileID: fileID, line: line) }
    }

    /// Returns a service resolved inside this scope, or throws.
    ///
    /// - Throws: the errors of `Resolver.tryResolve`.
    @_alwaysEmitIntoClient
    public func tryResolve<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: Any? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) throws(ResolutionError) -> Service {
        try run { () throws(ResolutionError) in
            try Resolver.tryResolve(type, name: name, args: args, fileID: fileID, line: line)
        }
    }

    /// Returns the instance that is kept for code inside this scope, or nil. Creates nothing.
    public func existing<Service>(_ type: Service.Type = Service.self, name: Resolver.Name? = nil) -> Service? {
        _ = endIfExpired(isUse: false)
        var found: Service?
        ScopeFrame.entering(self) { found = Resolver.existing(type, name: name) }
        return found
    }

    /// Returns a service resolved inside this scope as `Resolver.resolveAsync` does.
    ///
    /// - Throws: the errors of `Resolver.resolveAsync`.
    @_alwaysEmitIntoClient
    nonisolated(nonsending) public func resolveAsync<Service: Sendable>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: (any Sendable)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Service {
        try await run { () async throws -> Service in
            try await Resolver.resolveAsync(type, name: name, args: args, fileID: fileID, line: line)
        }
    }

    /// Returns a service resolved inside this scope as `Resolver.optionalAsync` does, or nil.
    ///
    /// - Throws: the errors of `Resolver.optionalAsync`.
    @_alwaysEmitIntoClient
    nonisolated(nonsending) public func optionalAsync<Service: Sendable>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: (any Sendable)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Service? {
        try await run { () async throws -> Service? in
            try await Resolver.optionalAsync(type, name: name, args: args, fileID: fileID, line: line)
        }
    }
}
