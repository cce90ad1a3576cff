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
