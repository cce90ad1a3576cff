extension Resolver {
    /// The registration that answers for `key` here: this resolver's own, else the first one below.
    ///
    /// It is not retained. It lives as long as this resolver, which the caller holds. One whose factory makes another
    /// type than `service` does not count.
    @inlinable @inline(__always)
    func find(_ key: ServiceKey, as service: ObjectIdentifier) -> Unmanaged<AnyResolverRegistration>? {
        if let own = table.find(key), own._withUnsafeGuaranteedRef({ $0.service == service }) { return own }
        return findBelow(key, as: service)
    }

    @usableFromInline
    func findBelow(_ key: ServiceKey, as service: ObjectIdentifier) -> Unmanaged<AnyResolverRegistration>? {
        children.search { resolver in
            guard let found = resolver.table.find(key) else { return nil }
            return found._withUnsafeGuaranteedRef { $0.service == service } ? found : nil
        }
    }

    /// The same with its type, which the key and the factory's type together prove.
    @inline(__always)
    func find<Service>(_ key: ServiceKey, of type: Service.Type) -> ResolverRegistration<Service>? {
        find(key, as: ObjectIdentifier(Service.self)).map {
            unsafeDowncast($0.takeUnretainedValue(), to: ResolverRegistration<Service>.self)
        }
    }
}
