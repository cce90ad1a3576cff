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

/// A scope whose answer is that of a closure, which may ask the factory and other scopes.
final class AnsweringScope: ResolverScope, @unchecked Sendable {
    struct Call {
        let resolver: Resolver
        /// Returns the answer of another scope, or of the factory if there is none, for other arguments if there are any. Uses a function
        /// that throws, or one that returns nil instead.
        let answer: (_ scope: (any ResolverScopeType)?, _ args: Any?, _ isThrowing: Bool) throws -> Any?

        func make() throws -> Any? { try answer(nil, nil, true) }
        func ask(_ scope: any ResolverScopeType, _ args: Any? = nil) throws -> Any? { try answer(scope, args, true) }
    }

    private let answer: @Sendable (Call) throws -> Any?
    init(_ answer: @escaping @Sendable (Call) throws -> Any?) { self.answer = answer }

    override func tryResolve<Service>(
        registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
    ) throws -> Service? {
        let call = Call(resolver: resolver) { scope, other, isThrowing in
            let args = other ?? args
            let service: Service? =
                switch (scope, isThrowing) {
                case (nil, true): try registration.make(resolver: resolver, args: args)
                case (nil, false): registration.instantiate(resolver: resolver, args: args)
                case (let scope?, true):
                    try scope.tryResolve(registration: registration, resolver: resolver, args: args)
                case (let scope?, false): scope.resolve(registration: registration, resolver: resolver, args: args)
                }
            return service
        }
        return try answer(call) as? Service
    }
}

/// A subclass of the cache, which must be asked on each call. It records what it is asked for and told.
final class AuditedCache: ResolverScopeCache, @unchecked Sendable {
    let asked = Box(0), resets = Box(0), released = Box<[ObjectIdentifier]>([])

    override func resolve<Service>(
        registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
    ) -> Service? {
        asked.increment()
        return super.resolve(registration: registration, resolver: resolver, args: args)
    }

    override func release(_ registration: AnyResolverRegistration) {
        released.append(ObjectIdentifier(registration))
        super.release(registration)
    }

    override func reset() {
        resets.increment()
        super.reset()
    }
}

/// A scope written from scratch that keeps instances itself.
final class TableScope: ResolverScopeType {
    let kept = Box<[ObjectIdentifier: Any]>([:])

    func resolve<Service>(registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?) -> Service? {
        if let old = existing(registration: registration, resolver: resolver) { return old }
        guard let new = registration.instantiate(resolver: resolver, args: args) else { return nil }
        return kept.update {
            let service = $0[ObjectIdentifier(registration)] as? Service ?? new
            $0[ObjectIdentifier(registration)] = service
            return service
        }
    }

    func existing<Service>(registration: ResolverRegistration<Service>, resolver: Resolver) -> Service? {
        kept.value[ObjectIdentifier(registration)] as? Service
    }

    func release(_ registration: AnyResolverRegistration) {
        kept.update { _ = $0.removeValue(forKey: ObjectIdentifier(registration)) }
    }

    func reset() { kept.set([:]) }
}

/// A scope written from scratch that passes everything on to another, and calls back before and after it.
final class PassingScope: ResolverScopeType {
    private let inner: ResolverScope, before, after: @Sendable () -> Void

    init(
        _ inner: ResolverScope = ResolverScopeCache(), before: @escaping @Sendable () -> Void = {},
        after: @escaping @Sendable () -> Void = {}
    ) { (self.inner, self.before, self.after) = (inner, before, after) }

    func resolve<Service>(registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?) -> Service? {
        before()
        defer { after() }
        return inner.resolve(registration: registration, resolver: resolver, args: args)
    }

    func existing<Service>(registration: ResolverRegistration<Service>, resolver: Resolver) -> Service? {
        inner.existing(registration: registration, resolver: resolver)
    }

    func release(_ registration: AnyResolverRegistration) { inner.release(registration) }
    func reset() { inner.reset() }
}

/// The scopes that cache instances, one of each kind.
enum KeepingScope: String, CaseIterable, Codable {
    case application, cached, container, shared, ownCache, ownSubclass

    final class Subclass: ResolverScopeCache, @unchecked Sendable {}

    /// Returns the scope. Custom scopes are new for each call.
    func make() -> ResolverScope {
        switch self {
        case .application: .application
        case .cached: .cached
        case .container: .container
        case .shared: .shared
        case .ownCache: ResolverScopeCache()
        case .ownSubclass: Subclass()
        }
    }
}
