import Resolver

extension ResolverOptions {
    /// Sets the scope, and has the journal note every instance that the factory makes from now on, and that the scope
    /// lets go of.
    @discardableResult
    func kept(by scope: ResolverScope) -> ResolverOptions<Service> { noted(as: scope.label).scope(scope) }

    /// Has the journal note the instances of a service that belongs to contexts. Of those there may be many at once: what
    /// is made for a request is not printed.
    @discardableResult
    func noted(for kind: ScopeKind) -> ResolverOptions<Service> {
        noted(as: kind.label, isTold: kind.binding == .process)
    }

    private func noted(as label: String, isTold: Bool = true) -> ResolverOptions<Service> {
        registration.update { factory in
            { resolver, args in
                let service = factory(resolver, args)
                if let service {
                    Journal.shared.note("\(type(of: service as Any))", scope: label, isTold: isTold)
                }
                return service
            }
        }
        return onRelease {
            Journal.shared.noteRelease("\(type(of: $0 as Any))", scope: label, isTold: isTold)
        }
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
