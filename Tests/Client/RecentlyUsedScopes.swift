import Resolver

/// Keeps the three instances that were requested last, of any service. This type is the rule, not the scope.
nonisolated struct RecentlyUsed {
    /// The registration is retained, so that its identity is not reused while it is a key.
    private var entries: [(registration: AnyResolverRegistration, instance: Any)] = []

    mutating func take<Service>(_ registration: ResolverRegistration<Service>) -> Service? {
        guard let index = entries.firstIndex(where: { $0.registration === registration }) else { return nil }
        let entry = entries.remove(at: index)
        entries.append(entry)
        return entry.instance as? Service
    }

    /// Returns the instance that is cached now: another thread may have been faster.
    mutating func keep<Service>(_ instance: Service, for registration: ResolverRegistration<Service>) -> Service {
        if let kept = take(registration) { return kept }
        entries.append((registration, instance))
        if entries.count > 3 { entries.removeFirst() }
        return instance
    }
}

/// A scope without a superclass, in the spelling that throws.
nonisolated final class ThrowingRecentlyUsedScope: ResolverScopeType {
    private let recent = Guarded(RecentlyUsed())

    func tryResolve<Service>(
        registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
    ) throws -> Service? {
        if let kept = recent.withLock({ $0.take(registration) }) { return kept }
        guard let made = try registration.make(resolver: resolver, args: args) else { return nil }
        return recent.withLock { $0.keep(made, for: registration) }
    }

    func resolve<Service>(
        registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
    ) -> Service? { try? tryResolve(registration: registration, resolver: resolver, args: args) }

    func reset() { recent.withLock { $0 = RecentlyUsed() } }
}

/// A scope with the same rule in the spelling of 1.5.1, which does not throw.
nonisolated final class RecentlyUsedScope: ResolverScopeType {
    private let recent = Guarded(RecentlyUsed())

    func resolve<Service>(
        registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
    ) -> Service? {
        if let kept = recent.withLock({ $0.take(registration) }) { return kept }
        guard let made = registration.instantiate(resolver: resolver, args: args) else { return nil }
        return recent.withLock { $0.keep(made, for: registration) }
    }

    func reset() { recent.withLock { $0 = RecentlyUsed() } }
}
