import Resolver

/// A scope that caches nothing and calls back.
final class CallbackScope: ResolverScope, @unchecked Sendable {
    private let before, after: @Sendable (Resolver) -> Void

    init(
        before: @escaping @Sendable (Resolver) -> Void = { _ in },
        after: @escaping @Sendable (Resolver) -> Void = { _ in }
    ) { (self.before, self.after) = (before, after) }

    override func resolve<Service>(
        registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
    ) -> Service? {
        before(resolver)
        defer { after(resolver) }
        return registration.instantiate(resolver: resolver, args: args)
    }
}

/// A scope that throws an error, or returns nil.
final class FailingScope: ResolverScope, @unchecked Sendable {
    private let error: (any Error)?
    init(_ error: (any Error)? = nil) { self.error = error }

    override func resolve<Service>(
        registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
    ) -> Service? { nil }

    override func tryResolve<Service>(
        registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
    ) throws -> Service? {
        if let error { throw error }
        return try super.tryResolve(registration: registration, resolver: resolver, args: args)
    }
}

/// A scope written from scratch that keeps instances itself.
final class TableScope: ResolverScopeType {
    let kept = Box<[ObjectIdentifier: Any]>([:])

    func resolve<Service>(registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?) -> Service? {
        let id = ObjectIdentifier(registration)
        if let old = kept.value[id] { return old as? Service }
        guard let new = registration.instantiate(resolver: resolver, args: args) else { return nil }
        return kept.update {
            let service = $0[id] ?? new
            $0[id] = service
            return service as? Service
        }
    }

    func release(_ registration: AnyResolverRegistration) {
        kept.update { _ = $0.removeValue(forKey: ObjectIdentifier(registration)) }
    }

    func reset() { kept.set([:]) }
}

/// A scope written from scratch that passes everything on to another.
final class PassingScope: ResolverScopeType {
    private let inner: ResolverScope
    init(_ inner: ResolverScope) { self.inner = inner }

    func resolve<Service>(registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?) -> Service? {
        inner.resolve(registration: registration, resolver: resolver, args: args)
    }

    func existing<Service>(registration: ResolverRegistration<Service>, resolver: Resolver) -> Service? {
        inner.existing(registration: registration, resolver: resolver)
    }

    func release(_ registration: AnyResolverRegistration) { inner.release(registration) }
    func reset() { inner.reset() }
}
