import Resolver

extension ResolverOptions {
    /// Sets the scope, and has the journal note every instance that the factory makes from now on.
    @discardableResult
    func kept(by scope: ResolverScope) -> ResolverOptions<Service> {
        let label = scope.label
        registration.update { factory in
            { resolver, args in
                let service = factory(resolver, args)
                if let service { Journal.shared.note("\(type(of: service as Any))", scope: label) }
                return service
            }
        }
        return self.scope(scope)
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
