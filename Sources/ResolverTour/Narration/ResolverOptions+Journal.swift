import Resolver

extension ResolverOptions {
    /// Sets the scope, and has the journal note every instance that the factory makes from now on, and that the scope
    /// lets go of.
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
            .onRelease { Journal.shared.noteRelease("\(type(of: $0 as Any))", scope: label) }
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
