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

// MARK: Registering for the current scope

extension Resolver {
    /// Registers a service for the current scope of a kind only.
    ///
    ///     Resolver.registerScoped(Cart.self, scope: .session) { Cart(of: user) }
    ///
    /// Inside the scope, this registration takes precedence over those of resolvers. Its instance is created on first use, and
    /// the scope's end releases both. If no scope of the kind is current, for example at app start, the service is registered
    /// on `main` with `.scoped(to:)`: one instance for each later scope. In code whose scope has ended, and while a
    /// longer-lived instance is created, nothing is registered.
    ///
    /// - Returns: options for hooks, a time to live and more.
    @discardableResult
    public static func registerScoped<Service>(
        _ type: Service.Type, name: Name? = nil, scope kind: ScopeKind, fileID: StaticString = #fileID,
        line: UInt = #line, factory: @escaping ResolverIsolatedFactory<Service>
    ) -> ResolverOptions<Service> {
        registrations(for: kind, type)
            .add(type, name, SourceLocation(fileID: fileID, line: line), in: PerContextScope.of(kind), making: factory)
    }

    /// Registers a service for the current scope of a kind only. For asynchronous code; does not suspend.
    ///
    /// - Returns: options for hooks, a time to live and more.
    @discardableResult
    public static func registerScoped<Service>(
        _ type: Service.Type, name: Name? = nil, scope kind: ScopeKind, fileID: StaticString = #fileID,
        line: UInt = #line, factory: @escaping ResolverIsolatedFactory<Service>
    ) async -> ResolverOptions<Service> {
        registrations(for: kind, type)
            .add(type, name, SourceLocation(fileID: fileID, line: line), in: PerContextScope.of(kind), making: factory)
    }

    /// Registers an asynchronous service for the current scope of a kind only.
    @discardableResult
    public static func registerAsyncScoped<Service: Sendable>(
        _ type: Service.Type, name: Name? = nil, scope kind: ScopeKind, fileID: StaticString = #fileID,
        line: UInt = #line, factory: @escaping ResolverAsyncFactory<Service>
    ) -> ResolverOptions<Service> {
        registrations(for: kind, type)
            .add(
                type, name, SourceLocation(fileID: fileID, line: line), in: PerContextScope.of(kind), awaiting: factory)
    }

    /// Registers an asynchronous service for the current scope of a kind only. For asynchronous code; does not suspend.
    @discardableResult
    public static func registerAsyncScoped<Service: Sendable>(
        _ type: Service.Type, name: Name? = nil, scope kind: ScopeKind, fileID: StaticString = #fileID,
        line: UInt = #line, factory: @escaping ResolverAsyncFactory<Service>
    ) async -> ResolverOptions<Service> {
        registrations(for: kind, type)
            .add(
                type, name, SourceLocation(fileID: fileID, line: line), in: PerContextScope.of(kind), awaiting: factory)
    }

    /// Returns the resolver on which to register for the current scope.
    private static func registrations(for kind: ScopeKind, _ type: Any.Type) -> Resolver {
        let context = ScopeContext.shared
        while let current = context.visible(kind) {
            // nil if the scope has ended meanwhile.
            if let own = current.makeRegistrations() { return own }
        }
        guard let unseen = context.innermost(kind), !ResolutionCycle.current.isRegistering else {
            ScopeEvent.emit { .registeredWithoutScope(kind, service: TypeName.qualified(type)) }
            return preparedMain()
        }
        // A service for one scope must not be visible to others, so it is registered where no call looks.
        ScopeEvent.emit {
            let service = TypeName.qualified(type)
            guard !unseen.hasEnded, let consumer = ResolutionCycle.current.consumer(hiding: unseen) else {
                return .registeredInEndedScope(unseen.description, service: service)
            }
            return .captive(kind, service: service, consumer: consumer.hop.description)
        }
        return Resolver()
    }
}

extension ResolverOptions {
    /// Keeps one instance for each open scope of a kind.
    ///
    /// The current scope keeps the instance until the scope ends. Without a current scope, each call creates an instance that
    /// no scope keeps. While a longer-lived instance is created, shorter-lived scopes are hidden, so that it cannot capture
    /// their instances; scopes that its own factory begins are not hidden. The scope keeps the instance even if the call is to
    /// an isolating resolver.
    ///
    /// - Parameter required: whether the service exists only inside such a scope. Without a scope, `optional` returns nil,
    ///   `tryResolve` throws `scopeDeclined`, `resolve` traps, and a longer-lived service that depends on the service cannot be
    ///   created.
    @discardableResult
    public func scoped(to kind: ScopeKind, required: Bool = false) -> ResolverOptions<Service> {
        scope(PerContextScope.of(kind, isRequired: required))
    }
}
