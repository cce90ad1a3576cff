import Resolver

extension Resolver {
    /// Why an asynchronous call fails; nil if it does not.
    func refusal<Service: Sendable>(
        _ type: Service.Type, name: Resolver.Name? = nil, args: (any Sendable)? = nil
    ) async -> ResolutionError? {
        do {
            _ = try await resolveAsync(type, name: name, args: args)
            return nil
        } catch {
            return error as? ResolutionError
        }
    }
}

extension ResolverScope {
    /// One of each kind that needs no other resolver, with caches of its own.
    static var oneOfEachKind: [(name: String, scope: ResolverScope)] {
        [
            ("unique", .unique), ("graph", .graph), ("cached", ResolverScopeCache()), ("container", .container),
            ("shared", ResolverScopeShare()),
        ]
    }
}
