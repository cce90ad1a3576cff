extension Resolver {
    /// Registers a service for the current scope of a kind, and for no other.
    ///
    ///     Resolver.registerScoped(Cart.self, scope: .session) { Cart(of: user) }
    ///
    /// It is found before what resolvers have for the type, its instance is made when it is first asked for, and both are
    /// gone with the scope. Where no scope of the kind is current, as when an app starts, this registers on `main` what
    /// `.scoped(to:)` does: one instance for each later scope.
    ///
    /// - Returns: options for hooks, a time to live and more.
    @discardableResult
    public static func registerScoped<Service>(
        _ type: Service.Type, name: Name? = nil, scope kind: ScopeKind, fileID: StaticString = #fileID,
        line: UInt = #line, factory: @escaping @Sendable () throws -> Service
    ) -> ResolverOptions<Service> {
        registrations(for: kind, type)
            .register(type, name: name, fileID: fileID, line: line) { try factory() }.scoped(to: kind)
    }

    /// The same for asynchronous code, where the call is written with `await`; nothing is waited for.
    @discardableResult
    public static func registerScoped<Service>(
        _ type: Service.Type, name: Name? = nil, scope kind: ScopeKind, fileID: StaticString = #fileID,
        line: UInt = #line, factory: @escaping @Sendable () throws -> Service
    ) async -> ResolverOptions<Service> {
        registrations(for: kind, type)
            .register(type, name: name, fileID: fileID, line: line) { try factory() }.scoped(to: kind)
    }

    /// Registers a service that is made asynchronously for the current scope of a kind.
    @discardableResult
    public static func registerAsyncScoped<Service: Sendable>(
        _ type: Service.Type, name: Name? = nil, scope kind: ScopeKind, fileID: StaticString = #fileID,
        line: UInt = #line, factory: @escaping @Sendable () async throws -> Service
    ) -> ResolverOptions<Service> {
        registrations(for: kind, type)
            .register(type, name: name, fileID: fileID, line: line) { try await factory() }.scoped(to: kind)
    }

    /// The same for asynchronous code, where the call is written with `await`; nothing is waited for.
    @discardableResult
    public static func registerAsyncScoped<Service: Sendable>(
        _ type: Service.Type, name: Name? = nil, scope kind: ScopeKind, fileID: StaticString = #fileID,
        line: UInt = #line, factory: @escaping @Sendable () async throws -> Service
    ) async -> ResolverOptions<Service> {
        registrations(for: kind, type)
            .register(type, name: name, fileID: fileID, line: line) { try await factory() }.scoped(to: kind)
    }

    /// Where to register for the current scope.
    private static func registrations(for kind: ScopeKind, _ type: Any.Type) -> Resolver {
        if let own = ScopeContext.shared.visible(kind)?.makeRegistrations() { return own }
        ScopeEvent.emit { .registeredWithoutScope(kind, service: TypeName.qualified(type)) }
        return main
    }
}

extension ResolverOptions {
    /// Keeps one instance for each open scope of a kind, as long as that is open.
    ///
    /// Which scope is current is asked at each call. Where there is none, each call makes a new instance that nobody
    /// keeps. While something is made that lives longer, a singleton or what belongs to a session, shorter-lived scopes are
    /// hidden: it cannot take their instances along. (Those that begin meanwhile are its own.) The scope keeps the instance
    /// also where an isolating resolver is asked.
    @discardableResult
    public func scoped(to kind: ScopeKind) -> ResolverOptions<Service> {
        scope(ContextScope.of(kind))
    }
}
