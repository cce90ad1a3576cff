import Resolver

/// The types of the instances that the container has made and released in the step that runs.
enum Journal {
    static let made = Box<[String]>([]), released = Box<[String]>([])

    fileprivate static func note(_ service: Any, in list: Box<[String]>, _ what: String) {
        list.append("\(type(of: service))")
        say("       \(what) \(type(of: service))")
    }
}

extension ResolverOptions {
    /// Sets the scope, and has the journal note the instances that the factory makes from now on.
    @discardableResult func kept(by scope: ResolverScope) -> ResolverOptions<Service> {
        let names: [(scope: ResolverScope, name: String)] = [
            (.application, "application"), (.cached, "cached"), (.graph, "graph"), (.session, "session"),
            (.shared, "shared"), (.unique, "unique"),
        ]
        return noted(as: names.first { $0.scope === scope }!.name).scope(scope)
    }

    /// Has the journal note the instances.
    @discardableResult func noted(as scope: String) -> ResolverOptions<Service> {
        registration.update { factory in
            { resolver, args in
                let service = factory(resolver, args)
                if let service { Journal.note(service as Any, in: Journal.made, "\(scope) made") }
                return service
            }
        }
        return onRelease { Journal.note($0 as Any, in: Journal.released, "\(scope) released") }
    }
}
