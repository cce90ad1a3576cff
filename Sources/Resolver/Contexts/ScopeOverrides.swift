/// The services that were ever registered for one scope alone: only these are looked for in the current scopes.
///
/// A registration of such a service that stands in a resolver is told to look there first, so that others need not.
enum ScopeOverrides {
    private struct State {
        var keys: Set<ServiceKey> = []
        /// Those of which every registration knows.
        var told: Set<ServiceKey> = []
        /// How often keys were removed. A key that is inserted again has to be told anew.
        var removals = 0
        /// When there are so many keys, those of scopes that have ended are removed.
        var limit = ScopeOverrides.least
    }

    private static var least: Int { 64 }
    private static let state = Guarded(State())

    static func contains(_ key: ServiceKey) -> Bool {
        ProcessWord.scopeOverrides.load() > 0 && state.withLock { $0.keys.contains(key) }
    }

    /// When it returns, every registration of the service knows.
    static func insert(_ key: ServiceKey) {
        let isFull = state.withLock { $0.keys.count >= $0.limit }
        if isFull { removeEnded() }
        let (isTold, removals) = state.withLock { state in
            state.keys.insert(key)
            ProcessWord.scopeOverrides.store(UInt64(state.keys.count))
            return (state.told.contains(key), state.removals)
        }
        if isTold { return }
        LiveResolvers.shared.release { table in table.registration(for: key)?.checkScopeOverrides() }
        state.withLock { if $0.removals == removals { $0.told.insert(key) } }
    }

    /// Forgets the services that no open scope has registered for itself.
    private static func removeEnded() {
        // Under the lock: a scope registers a service before it inserts the key, so either it is found here, or its key
        // comes afterwards. What may be the last reference to a scope is released outside.
        state.discard { state in
            let scopes = ScopeContext.shared.scopesWithRegistrations
            let keys = Set(scopes.flatMap { $0.registrations?.table.all ?? [] }.map(\.serviceKey))
            state.keys.formIntersection(keys)
            state.told.formIntersection(keys)
            state.removals += 1
            state.limit = max(least, 2 * state.keys.count)
            ProcessWord.scopeOverrides.store(UInt64(state.keys.count))
            return scopes
        }
    }
}

extension ScopeContext {
    /// What the current scopes have for `key`, the shortest-lived first.
    func local(_ key: ServiceKey, as service: ObjectIdentifier) -> AnyResolverRegistration? {
        guard ScopeOverrides.contains(key) else { return nil }
        let cycle = ResolutionCycle.current
        for scope in currentScopes where !cycle.hides(scope) {
            guard let registrations = scope.registrations else { continue }
            if let found = withExtendedLifetime(registrations, { registrations.findOwn(key, as: service) }) {
                return found
            }
        }
        return nil
    }

    /// Tells observers of a service that a scope has registered for itself, where that scope is hidden from the running code, or not
    /// inherited by it.
    func tellIfUnseen(_ key: ServiceKey, as service: ObjectIdentifier) {
        guard ScopeEvent.isObserved, ScopeOverrides.contains(key) else { return }
        if let hidden = hiddenLocal(key, as: service) {
            ScopeEvent.emit {
                let name = TypeName.qualified(hidden.registration.serviceType)
                return .captive(hidden.scope.kind, service: name, consumer: hidden.consumer.hop.description)
            }
        } else if ScopeFrame.isInChildTask, let (scope, registration) = localElsewhere(key, as: service) {
            ScopeEvent.emit { .notInherited(scope.kind, service: TypeName.qualified(registration.serviceType)) }
        }
    }

    /// The scope that has registered `key` for itself, of a kind of which the running code has none.
    private func localElsewhere(
        _ key: ServiceKey, as service: ObjectIdentifier
    ) -> (ScopeHandle, AnyResolverRegistration)? {
        for scope in openScopes() where scope.kind.binding == .execution && innermost(scope.kind) == nil {
            if let found = scope.registrations?.findOwn(key, as: service) { return (scope, found) }
        }
        return nil
    }

    /// The scope that has registered `key` for itself and is hidden from the running code, and what it is hidden from.
    func hiddenLocal(
        _ key: ServiceKey, as service: ObjectIdentifier
    ) -> (scope: ScopeHandle, registration: AnyResolverRegistration, consumer: ResolutionStep)? {
        guard ScopeOverrides.contains(key) else { return nil }
        let cycle = ResolutionCycle.current
        for scope in currentScopes {
            guard let consumer = cycle.consumer(hiding: scope), let registrations = scope.registrations,
                let found = registrations.findOwn(key, as: service)
            else { continue }
            return (scope, found, consumer)
        }
        return nil
    }
}
