import Resolver

extension Resolver {
    /// Returns a few lines about a service: its location, lifetime, dependencies, consumers and problems. Creates nothing.
    public func explain<Service>(_ type: Service.Type, name: Resolver.Name? = nil) -> String {
        let services = registrations
        var texts =
            registeredByScope(type, name: name).map {
                ["\($0)\n  is registered by a current scope, for that scope alone"]
            } ?? []
        if let place = services.firstIndex(where: { $0.key == ServiceKey(type, name) }) {
            texts.append(Wiring(services).explanation(of: place))
        } else if texts.isEmpty {
            texts = ["\(ResolverDependency(type, name: name)) is not registered."]
            texts += services.filter { $0.type == type }.map { "Registered: \($0)" }
        }
        return texts.joined(separator: "\n")
    }

    /// Returns a few lines about a service that `root` finds. See the instance method for the details.
    public static func explain<Service>(_ type: Service.Type, name: Resolver.Name? = nil) -> String {
        preparedRoot().explain(type, name: name)
    }
}

extension Wiring {
    func explanation(of place: Int) -> String {
        let service = services[place]
        var lines = ["\(service)"]
        if let target = target(of: place), target != place { lines.append("  stands for \(services[target])") }
        if service.isAsync { lines.append("  is created asynchronously") }
        lines += service.actors.map { "  is created on \(Wiring.name($0))" }
        if service.isKept { lines.append("  an instance is kept") }
        lines += service.needs.map { "  needs \($0)" }
        let consumers = services.indices.filter { edges[$0].contains { $0 == place || target(of: $0) == place } }
        lines += consumers.map { "  is needed by \(name($0))" }
        lines += services.indices.filter { $0 != place && target(of: $0) == place }.map { "  is also \(name($0))" }
        let problems = report().problems.filter { $0.path.contains(name(place)) }
        return (lines + problems.map(\.description)).joined(separator: "\n")
    }
}
