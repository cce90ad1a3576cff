/// The keys of services that were registered for one scope alone. Only these services are looked up in the current scopes.
///
/// A registration of such a service in a resolver has a mark, so that calls look in the scopes first. Other registrations have none.
enum ScopeOverrides {
    private struct State {
        var keys: [ServiceKey: Entry] = [:]
        /// The number of removals. The registrations of a key that is inserted after a removal must be marked again.
        var removals = 0
        /// The number of keys at which those of ended scopes are removed.
        var limit = ScopeOverrides.least
    }

    private struct Entry {
        /// The number of removals before the key was last inserted.
        var removals = 0
        /// Whether all registrations of the service have been marked.
        var isMarked = false
    }

    private static var least: Int { 64 }
    private static let state = Guarded(State())

    static func contains(_ key: ServiceKey) -> Bool {
        ProcessWord.scopeOverrides.load() > 0 && state.withLock { $0.keys[key] != nil }
    }

    /// Inserts a key. When it returns, every registration of the service looks into the current scopes first.
    static func insert(_ key: ServiceKey) {
        let isFull = state.withLock { $0.keys.count >= $0.limit }
        if isFull { removeEnded() }
        let (isMarked, removals) = state.withLock { state in
            let isMarked = state.keys[key]?.isMarked ?? false
            state.keys[key] = Entry(removals: state.removals, isMarked: isMarked)
            ProcessWord.scopeOverrides.store(UInt64(state.keys.count))
            return (isMarked, state.removals)
        }
        if isMarked { return }
        LiveResolvers.shared.release { table in table.registration(for: key)?.checkScopeOverrides() }
        state.withLock { if $0.removals == removals { $0.keys[key]?.isMarked = true } }
    }

    /// Removes the keys that no open scope has registered, except those inserted since the last removal. Short scopes insert the
    /// same keys again.
    private static func removeEnded() {
        let resolvers = LiveResolvers.shared.all.count
        // This runs under the lock: a scope registers a service before it inserts the key, so the registration is found here, or the
        // key is inserted later. The references to scopes are released outside the lock, because one may be the last reference.
        state.discard { state in
            let scopes = ScopeContext.shared.scopesWithRegistrations
            let keys = Set(scopes.flatMap { $0.registrations?.table.all ?? [] }.map(\.serviceKey))
            state.keys = state.keys.filter { $0.value.removals == state.removals || keys.contains($0.key) }
            state.removals += 1
            // This spreads the cost of a removal, and of keys that come again, over as many new keys.
            state.limit = state.keys.count + max(least, keys.count, scopes.count, resolvers)
            ProcessWord.scopeOverrides.store(UInt64(state.keys.count))
            return scopes
        }
    }
}

extension ScopeContext {
    /// Returns the registration that a current scope has for `key`. The shortest-lived scope comes first.
    ///
    /// - Parameter isUse: whether the service is resolved, which is a use of the scope.
    func local(_ key: ServiceKey, isUse: Bool = true) -> AnyResolverRegistration? {
        guard ScopeOverrides.contains(key) else { return nil }
        let cycle = ResolutionCycle.current
        var scopes = currentScopes
        while true {
            for scope in scopes {
                guard let found = scope.registrations?.findOwn(key), cycle.sees(scope) else { continue }
                if isUse, scope.endIfExpired(isUse: true) { continue }
                return found
            }
            // A scope that another thread has replaced since then has ended, and its successor may have the service.
            guard scopes.contains(where: \.hasEnded) else { return nil }
            let seen = scopes
            scopes = currentScopes
            if scopes.elementsEqual(seen, by: ===) { return nil }
        }
    }

    /// Tells observers of a service that is registered for a scope alone, and that the running code cannot see.
    ///
    /// The scope is hidden from the running code, or not inherited by it.
    func reportIfUnseen(_ key: ServiceKey) {
        guard ScopeEvent.isObserved, ScopeOverrides.contains(key) else { return }
        if let hidden = hiddenLocal(key) {
            ScopeEvent.emit {
                let name = TypeName.qualified(hidden.registration.serviceType)
                return .captive(hidden.scope.kind, service: name, consumer: hidden.consumer.hop.description)
            }
        } else if ScopeFrame.isInChildTask, let (scope, registration) = localElsewhere(key) {
            ScopeEvent.emit { .notInherited(scope.kind, service: TypeName.qualified(registration.serviceType)) }
        }
    }

    /// Returns an open scope that has registered `key`, if the running code has no scope of its kind.
    private func localElsewhere(_ key: ServiceKey) -> (ScopeHandle, AnyResolverRegistration)? {
        for scope in openScopes() where scope.kind.binding == .execution && innermost(scope.kind) == nil {
            if let found = scope.registrations?.findOwn(key) { return (scope, found) }
        }
        return nil
    }

    /// Returns the hidden scope that has registered `key`, its registration, and the creation that hides it.
    func hiddenLocal(
        _ key: ServiceKey
    ) -> (scope: ScopeHandle, registration: AnyResolverRegistration, consumer: ResolutionStep)? {
        guard ScopeOverrides.contains(key) else { return nil }
        let cycle = ResolutionCycle.current
        for scope in currentScopes {
            guard let consumer = cycle.consumer(hiding: scope), let found = scope.registrations?.findOwn(key) else {
                continue
            }
            return (scope, found, consumer)
        }
        return nil
    }
}
