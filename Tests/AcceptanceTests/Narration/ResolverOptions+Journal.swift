import Resolver

extension ResolverOptions {
    /// Sets the scope, and has the journal note every instance that the factory makes from now on, and that the scope
    /// releases.
    @discardableResult
    func kept(by scope: ResolverScope) -> ResolverOptions<Service> { noted(as: scope.label).scope(scope) }

    /// Has the journal note the instances of a service that belongs to contexts.
    @discardableResult func noted(for kind: ScopeKind) -> ResolverOptions<Service> { noted(as: kind.label) }

    private func noted(as scope: String) -> ResolverOptions<Service> {
        let note: @Sendable (Journal.Event, Service) -> Void = { event, service in
            Journal.note(event, "\(type(of: service as Any))", scope: scope)
        }
        registration.update { factory in
            { resolver, args in
                let service = factory(resolver, args)
                if let service { note(.made, service) }
                return service
            }
        }
        return onRelease { note(.released, $0) }
    }
}

extension ResolverScope {
    /// What the journal calls the scope.
    fileprivate var label: String {
        let labels: [(ResolverScope, String)] = [
            (.application, "application"), (.cached, "cached"), (.container, "container"), (.graph, "graph"),
            (.session, "session"), (.shared, "shared"), (.unique, "unique"),
        ]
        return labels.first { $0.0 === self }?.1 ?? "\(type(of: self))"
    }
}

extension ScopeKind {
    /// What the journal calls contexts of the kind.
    var label: String { "\(name) context" }
}
