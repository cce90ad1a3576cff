/// The services that were ever registered for one scope alone: only these are looked for in the current scopes.
///
/// A registration of such a service that stands in a resolver is told to look there first, so that others need not.
enum LocalServices {
    private struct State {
        var keys: Set<ServiceKey> = []
        /// Those of which every registration knows.
        var told: Set<ServiceKey> = []
    }

    private static let state = Guarded(State())
    private static let count = AtomicWord(0)

    /// For lookups: those who have registered one for their own scope have been counted.
    static func contains(_ key: ServiceKey) -> Bool {
        count.load() > 0 && state.withLock { $0.keys.contains(key) }
    }

    /// For a registration that has just been put into a table, in one order with `insert`: either it is told there, or
    /// this finds the key.
    static func containsNow(_ key: ServiceKey) -> Bool {
        count.add(0) > 0 && state.withLock { $0.keys.contains(key) }
    }

    /// When it returns, every registration of the service knows.
    static func insert(_ key: ServiceKey) {
        let isTold = state.withLock { state in
            state.keys.insert(key)
            return state.told.contains(key)
        }
        if isTold { return }
        _ = count.add(1)
        for (table, _) in ResolverDirectory.shared.all {
            table.find(key)?._withUnsafeGuaranteedRef { $0.lookForLocals() }
        }
        state.withLock { _ = $0.told.insert(key) }
    }
}

extension ScopeContext {
    /// What the current scopes have for `key`, the shortest-lived first.
    func local(_ key: ServiceKey, as service: ObjectIdentifier) -> AnyResolverRegistration? {
        guard LocalServices.contains(key) else { return nil }
        let cycle = ResolutionCycle.current
        for scope in currentScopes where !cycle.hides(scope) {
            guard let registrations = scope.registrations else { continue }
            if let found = withExtendedLifetime(registrations, { registrations.findOwn(key, as: service) }) {
                return found
            }
        }
        return nil
    }
}
