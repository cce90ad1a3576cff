extension Resolver {
    /// The registration that answers for `key` here: this resolver's own, else the first one below.
    ///
    /// One whose factory makes another type than `service` does not count.
    func find(_ key: ServiceKey, as service: ObjectIdentifier) -> FoundRegistration? {
        findInReach(key, as: service) ?? findIsolated(key, as: service)?.registration
    }

    /// The registration that answers here, if no isolating resolver comes first: what is found may be answered from its slot.
    @inline(__always)
    func findInReach(_ key: ServiceKey, as service: ObjectIdentifier) -> FoundRegistration? {
        if let own = table.find(key), own.use({ $0.service == service }) { return own }
        return findBelow(key, as: service)
    }

    private func findBelow(_ key: ServiceKey, as service: ObjectIdentifier) -> FoundRegistration? {
        children.search(below: self) { resolver in
            guard let found = resolver.table.find(key) else { return nil }
            return found.use { $0.service == service } ? found : nil
        }
    }

    /// What is found from the first isolating resolver on, and the one that keeps what is made for it.
    func findIsolated(
        _ key: ServiceKey, as service: ObjectIdentifier
    ) -> (registration: FoundRegistration, keeper: Unretained<Resolver>?)? {
        children.searchIsolated(below: self) { resolver, keeper in
            guard let found = resolver.table.find(key) else { return nil }
            return found.use { $0.service == service } ? (found, keeper) : nil
        }
    }

    /// The isolating resolver, if any, that keeps what is made for a registration of this owner when this one is asked.
    func keeper(of owner: RegistrationOwner) -> Unretained<RegistrationOwner>? {
        owner === self.owner ? nil : children.keeper(of: owner, below: self)
    }

    /// What `find` answers, and before it what the current scopes have registered for themselves.
    func findSeen(_ key: ServiceKey, as service: ObjectIdentifier) -> AnyResolverRegistration? {
        ScopeContext.shared.local(key, as: service) ?? find(key, as: service)?.object
    }

    /// The registration of this resolver alone.
    func findOwn(_ key: ServiceKey, as service: ObjectIdentifier) -> AnyResolverRegistration? {
        guard let own = table.find(key), own.use({ $0.service == service }) else { return nil }
        return own.object
    }
}
