extension Resolver {
    /// Returns the registration for `key`: this resolver's own, or the first one below.
    ///
    /// Skips registrations whose factory makes another type than `service`.
    func find(_ key: ServiceKey, as service: ObjectIdentifier) -> FoundRegistration? {
        findBeforeIsolating(key, as: service) ?? findIsolated(key, as: service)?.registration
    }

    /// Returns the registration for `key` above any isolating resolver. Its slot may serve hits.
    @inline(__always)
    func findBeforeIsolating(_ key: ServiceKey, as service: ObjectIdentifier) -> FoundRegistration? {
        if let own = table.find(key), own.use({ $0.service == service }) { return own }
        return findBelow(key, as: service)
    }

    private func findBelow(_ key: ServiceKey, as service: ObjectIdentifier) -> FoundRegistration? {
        children.search(below: self) { node in
            guard let found = node.resolver.use({ $0.table.find(key) }) else { return nil }
            return found.use { $0.service == service } ? found : nil
        }
    }

    /// Returns the first registration from an isolating resolver on, and the isolating resolver that keeps its instances.
    func findIsolated(
        _ key: ServiceKey, as service: ObjectIdentifier
    ) -> (registration: FoundRegistration, isolating: Unretained<Resolver>?)? {
        children.searchIsolated(below: self) { resolver, isolating in
            guard let found = resolver.table.find(key) else { return nil }
            return found.use { $0.service == service } ? (found, isolating) : nil
        }
    }

    /// Returns the isolating resolver that keeps instances of this owner's registrations for calls to this resolver, if any.
    func isolatingOwner(of owner: RegistrationOwner) -> Unretained<RegistrationOwner>? {
        owner === self.owner ? nil : children.isolatingOwner(of: owner, below: self)
    }

    /// Returns the registration of a current scope for `key`, or the result of `find`.
    ///
    /// - Parameter isUse: whether the service is resolved, which is a use of the scope.
    func findWithOverrides(
        _ key: ServiceKey, as service: ObjectIdentifier, isUse: Bool = true
    ) -> AnyResolverRegistration? {
        ScopeContext.shared.local(key, as: service, isUse: isUse) ?? find(key, as: service)?.object
    }

    /// Returns this resolver's own registration for `key`.
    func findOwn(_ key: ServiceKey, as service: ObjectIdentifier) -> AnyResolverRegistration? {
        guard let own = table.find(key), own.use({ $0.service == service }) else { return nil }
        return own.object
    }
}
