/// What the registrations of a resolver need of it without keeping it alive.
@usableFromInline
final class ResolverHome: Sendable {
    private struct State {
        /// Made when it is first asked for: most resolvers never keep anything in it.
        var cache: ResolverScope?
        /// Further stores that keep something for a registration of this resolver, by the registration's number.
        var guests: [UInt64: [ObjectIdentifier: InstanceStore]] = [:]
    }

    /// Where the resolver was made.
    let location: SourceLocation
    /// Held while a registration's plan is replaced.
    let modification = Lock()
    private let state: Guarded<State>

    init(location: SourceLocation) {
        self.location = location
        self.state = Guarded(State())
    }

    deinit {
        modification.deallocate()
    }

    /// What `.container` keeps instances in.
    var cache: ResolverScope {
        get {
            state.withLock { state in
                if let cache = state.cache { return cache }
                let cache = ResolverScopeCache()
                state.cache = cache
                return cache
            }
        }
        set { state.replace(\.cache, by: newValue) }
    }

    func addGuest(_ store: InstanceStore, of registration: UInt64) {
        state.withLock { $0.guests[registration, default: [:]][ObjectIdentifier(store)] = store }
    }

    func removeGuests(of registration: UInt64) -> [InstanceStore] {
        state.withLock { Array($0.guests.removeValue(forKey: registration)?.values ?? [:].values) }
    }
}
