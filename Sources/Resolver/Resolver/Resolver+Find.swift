/// A call's registration, and the instance from its slot, retained. Both are nil where the fast path may not be taken.
@usableFromInline
struct FoundService {
    @usableFromInline let registration: FoundRegistration?
    @usableFromInline let kept: TakenReference?

    @inline(__always) static var none: FoundService { FoundService(registration: nil, kept: nil) }
}

extension Resolver {
    /// Returns the registration and the instance in its slot, if the fast path may be taken.
    @usableFromInline @inline(never)
    func fastLookup(_ type: Any.Type, _ name: Name?, as service: Any.Type) -> FoundService {
        guard SlowPathReasons.isNoneForResolvers else { return .none }
        return uncheckedFastLookup(type, name, as: service)
    }

    /// Returns the registration and the instance in its slot from `root`, if that is the first resolver.
    @usableFromInline @inline(never)
    static func fastLookup(_ type: Any.Type, _ name: Name?, as service: Any.Type) -> FoundService {
        guard SlowPathReasons.isNone else { return .none }
        return firstUnretained.use { $0.uncheckedFastLookup(type, name, as: service) }
    }

    /// The first resolver. Only for calls that may take the fast path, and for what that path has found.
    @inline(__always)
    static var firstUnretained: Unretained<Resolver> { Unretained(present: ProcessWord.firstResolver.load()) }

    @inline(__always)
    private func uncheckedFastLookup(_ type: Any.Type, _ name: Name?, as service: Any.Type) -> FoundService {
        // Most services are registered in this resolver by their own type. Most names have the same words in memory as the name of the
        // registration.
        if type == service {
            let service = ObjectIdentifier(service)
            let own =
                if let name { table.findNamed(service, name) } else {
                    RegistrationTable.findUnnamed(service, in: table.row)
                }
            if let own, own.use({ $0.ownService == UInt(bitPattern: service) || $0.isAlias }) {
                return FoundService(registration: own, kept: own.use { $0.slot.take() })
            }
            if own == nil, name == nil { return fastLookupBelow(type) }
        }
        return fullLookup(type, name, as: service)
    }

    /// Looks up a service without a name that is not registered here.
    @inline(never)
    private func fastLookupBelow(_ type: Any.Type) -> FoundService {
        let service = ObjectIdentifier(type)
        return self.service(
            of: children.search(below: self) { node in
                guard let found = RegistrationTable.findUnnamed(service, in: node.row) else { return nil }
                return found.use { $0.serviceKey.type == service } ? (found, isolating(node)) : nil
            })
    }

    /// Looks up any service: an alias, a name that is equal but stored differently, a type that is known only at run time.
    @inline(never)
    private func fullLookup(_ type: Any.Type, _ name: Name?, as service: Any.Type) -> FoundService {
        self.service(of: search(ServiceKey(type, as: service, name)))
    }

    /// Returns a registration with the instance in the slot that serves it, if the fast path does.
    ///
    /// The reference is taken after the search, which may have been repeated. The registration lives as long as this resolver.
    @inline(__always)
    private func service(of found: Match?) -> FoundService {
        guard let (found, isolating) = found else { return .none }
        guard let isolating else {
            return FoundService(registration: found, kept: found.use { $0.kept(resolver: self) })
        }
        let kept = isolating.use { isolating in found.use { $0.kept(behind: isolating.owner) } }
        return kept.map { FoundService(registration: found, kept: $0) } ?? .none
    }

    /// Returns the kept service, if the fast path serves it.
    @_alwaysEmitIntoClient @inline(__always)
    func kept<Service>(_ type: Service.Type, _ name: Name?) -> Service? {
        fastLookup(type, name, as: Service.self).kept.map(InstanceBox<Service>.unpack)
    }
}

extension AnyResolverRegistration {
    /// Returns the instance in the slot, retained.
    ///
    /// Returns nil for an alias that is asked through another resolver: there, it may stand for another service.
    @inline(__always)
    final func kept(resolver: Resolver) -> TakenReference? { isAlias && owner !== resolver.owner ? nil : slot.take() }

    /// Returns the instance that `isolating`, an isolating resolver above this registration, keeps, if the fast path serves it.
    final func kept(behind isolating: RegistrationOwner) -> TakenReference? {
        withPlan { plan in
            guard plan.isUnconditional, case .cached(let store) = plan.lifetime else { return nil }
            return store.use { isolating.isolatedRow?.search(number, $0.number)?.slot.take() }
        }
    }
}

extension Resolver {
    /// A registration, and the isolating resolver that keeps its instances, if any.
    typealias Match = (registration: FoundRegistration, isolating: Unretained<Resolver>?)

    func find(_ key: ServiceKey) -> FoundRegistration? { search(key)?.registration }

    /// Returns the registration for `key`: this resolver's own, or the first one below.
    @inline(__always)
    func search(_ key: ServiceKey) -> Match? {
        if let own = table.find(key) { return (own, nil) }
        return searchBelow(key)
    }

    private func searchBelow(_ key: ServiceKey) -> Match? {
        children.search(below: self) { node in
            node.resolver.use { $0.table.find(key) }.map { ($0, isolating(node)) }
        }
    }

    /// Returns the isolating resolver that keeps instances of a resolver below this one, if any: the first on the way.
    @inline(__always)
    private func isolating(_ node: SearchOrder.Node) -> Unretained<Resolver>? {
        isIsolating ? Unretained(self) : node.isolating
    }

    /// Returns the isolating resolver that keeps instances of this owner's registrations for calls to this resolver, if any.
    func isolatingOwner(of owner: RegistrationOwner) -> Unretained<RegistrationOwner>? {
        if owner === self.owner || ProcessWord.isolations.load() == 0 { return nil }
        return children.search(below: self) { node in
            guard let isolating = isolating(node), node.resolver.use({ $0.owner === owner }) else { return nil }
            return isolating.use { Unretained($0.owner) }
        }
    }

    /// Returns the registration of a current scope for `key`, or the result of `find`.
    ///
    /// - Parameter isUse: whether the service is resolved, which is a use of the scope.
    func findWithOverrides(_ key: ServiceKey, isUse: Bool = true) -> AnyResolverRegistration? {
        ScopeContext.shared.local(key, isUse: isUse) ?? find(key)?.object
    }

    /// Returns this resolver's own registration for `key`. The caller may have the last reference to the resolver.
    func findOwn(_ key: ServiceKey) -> AnyResolverRegistration? {
        withExtendedLifetime(self) { table.find(key)?.object }
    }
}
