extension Resolver {
    /// Registers a service for the current scope of a kind, and for no other.
    ///
    ///     Resolver.registerScoped(Cart.self, scope: .session) { Cart(of: user) }
    ///
    /// It is found before what resolvers have for the type, its instance is made when it is first asked for, and both are
    /// gone with the scope. Where no scope of the kind is current, as when an app starts, this registers on `main` what
    /// `.scoped(to:)` does: one instance for each later scope. In code whose scope has ended, and while something is made that
    /// lives longer, it registers nothing.
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

    /// Registers a service for the current scope of a kind, and for no other, from asynchronous code. The call is written with
    /// `await`, but does not suspend.
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

    /// Registers a service that is made asynchronously for the current scope of a kind.
    @discardableResult
    public static func registerAsyncScoped<Service: Sendable>(
        _ type: Service.Type, name: Name? = nil, scope kind: ScopeKind, fileID: StaticString = #fileID,
        line: UInt = #line, factory: @escaping ResolverAsyncFactory<Service>
    ) -> ResolverOptions<Service> {
        registrations(for: kind, type)
            .add(
                type, name, SourceLocation(fileID: fileID, line: line), in: PerContextScope.of(kind), awaiting: factory)
    }

    /// Registers a service that is made asynchronously for the current scope of a kind, from asynchronous code. The call is
    /// written with `await`, but does not suspend.
    @discardableResult
    public static func registerAsyncScoped<Service: Sendable>(
        _ type: Service.Type, name: Name? = nil, scope kind: ScopeKind, fileID: StaticString = #fileID,
        line: UInt = #line, factory: @escaping ResolverAsyncFactory<Service>
    ) async -> ResolverOptions<Service> {
        registrations(for: kind, type)
            .add(
                type, name, SourceLocation(fileID: fileID, line: line), in: PerContextScope.of(kind), awaiting: factory)
    }

    /// Where to register for the current scope.
    private static func registrations(for kind: ScopeKind, _ type: Any.Type) -> Resolver {
        let context = ScopeContext.shared
        while let current = context.visible(kind) {
            // nil if it has ended meanwhile.
            if let own = current.makeRegistrations() { return own }
        }
        guard let unseen = context.innermost(kind), !Bootstrap.shared.isRunning(on: .current) else {
            ScopeEvent.emit { .registeredWithoutScope(kind, service: TypeName.qualified(type)) }
            return main
        }
        // What was meant for one scope must not be given to others: it is registered where no call looks.
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
    /// Keeps one instance for each open scope of a kind, as long as that is open.
    ///
    /// Which scope is current is asked at each call. Where there is none, each call makes a new instance that no scope
    /// keeps. While something is made that lives longer, a singleton or what belongs to a session, shorter-lived scopes are
    /// hidden: it cannot take their instances along. (Those that its own factory begins meanwhile are seen.) The scope keeps the instance
    /// also where an isolating resolver is asked.
    ///
    /// - Parameter required: whether there is no service without such a scope: `optional` is nil then, `tryResolve` throws
    ///   `scopeDeclined`, `resolve` traps, and what lives longer cannot be made with it.
    @discardableResult
    public func scoped(to kind: ScopeKind, required: Bool = false) -> ResolverOptions<Service> {
        scope(PerContextScope.of(kind, isRequired: required))
    }
}
