import Resolver
import Testing

/// What a case of a test registers in its resolver.
struct Registrations: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let register: @Sendable (Resolver) -> Void

    init(_ description: String, _ register: @escaping @Sendable (Resolver) -> Void) {
        (testDescription, self.register) = (description, register)
    }
}

extension Resolver {
    /// Registers a factory that is asynchronous, or that is not.
    @discardableResult func register<Service: Sendable>(
        name: Resolver.Name? = nil, isAsync: Bool, _ make: @escaping @Sendable (Resolver) -> Service
    ) -> ResolverOptions<Service> {
        guard isAsync else { return register(name: name) { resolver in make(resolver) } }
        return register(name: name) { resolver in await yielding(make(resolver)) }
    }
}

extension Resolver {
    /// Returns the error of a synchronous call, or nil if it succeeds.
    func failure<Service>(_ type: Service.Type, name: Resolver.Name? = nil, args: Any? = nil) -> ResolutionError? {
        do throws(ResolutionError) {
            _ = try tryResolve(type, name: name, args: args)
            return nil
        } catch { return error }
    }

    /// Returns the error of an asynchronous call, or nil if it succeeds.
    func asyncFailure<Service: Sendable>(
        _ type: Service.Type, name: Resolver.Name? = nil, args: (any Sendable)? = nil
    ) async -> ResolutionError? {
        do {
            _ = try await resolveAsync(type, name: name, args: args)
            return nil
        } catch { return error as? ResolutionError }
    }
}

extension ResolverScope {
    /// One scope of each kind, with new caches.
    static var oneOfEachKind: [(name: String, scope: ResolverScope)] {
        [
            ("unique", .unique), ("graph", .graph), ("cached", ResolverScopeCache()), ("container", .container),
            ("shared", ResolverScopeShare()),
        ]
    }

    /// Every pair of such scopes.
    static var pairsOfKinds: [(mix: String, scopes: [ResolverScope])] {
        oneOfEachKind.flatMap { first in oneOfEachKind.map { ("\(first.name), \($0.name)", [first.scope, $0.scope]) } }
    }
}
