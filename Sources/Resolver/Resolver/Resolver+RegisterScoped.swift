extension Resolver {
    /// Registers a service for the current scope of a kind only.
    ///
    ///     Resolver.registerScoped(Cart.self, scope: .session) { Cart(of: user) }
    ///
    /// Inside the scope, it takes precedence over the registrations of resolvers. Its instance is made on first use, and the
    /// scope's end releases both. If no scope of the kind is current, for example at app start, the service is registered on
    /// `main` with `.scoped(to:)`: one instance for each later scope. In code whose scope has ended, and while a longer-lived
    /// instance is made, nothing is registered.
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

    /// Registers a service for the current scope of a kind only, from asynchronous code. Does not suspend.
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

    /// Registers an asynchronous service for the current scope of a kind.
    @discardableResult
    public static func registerAsyncScoped<Service: Sendable>(
        _ type: Service.Type, name: Name? = nil, scope kind: ScopeKind, fileID: StaticString = #fileID,
        line: UInt = #line, factory: @escaping ResolverAsyncFactory<Service>
    ) -> ResolverOptions<Service> {
        registrations(for: kind, type)
            .add(
                type, name, SourceLocation(fileID: fileID, line: line), in: PerContextScope.of(kind), awaiting: factory)
    }

    /// Registers an asynchronous service for the current scope of a kind, from asynchronous code. Does not suspend.
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
    /// Each call uses the current scope, which keeps the instance until it ends. Without one, the call makes a new instance
    /// that no scope keeps. While a longer-lived instance is made, shorter-lived scopes are hidden, so that it cannot capture
    /// their instances (except scopes that its own factory begins). The scope keeps the instance even if an isolating
    /// resolver is asked.
    ///
    /// - Parameter required: whether the service exists only inside such a scope. Without one, `optional` returns nil,
    ///   `tryResolve` throws `scopeDeclined`, `resolve` traps, and a longer-lived service that depends on it cannot be made.
    @discardableResult
    public func scoped(to kind: ScopeKind, required: Bool = false) -> ResolverOptions<Service> {
        scope(PerContextScope.of(kind, isRequired: required))
    }
}
