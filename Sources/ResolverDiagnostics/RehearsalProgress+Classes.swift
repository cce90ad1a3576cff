import Resolver

// The classes that have objects in several registrations.

extension RehearsalProgress {
    /// Returns the problems of several registrations that each have an object of one class.
    func torn(_ wiring: Wiring) -> [WiringProblem] {
        var kept: [ObjectIdentifier: [(place: Int, object: ObjectIdentifier)]] = [:]
        for (place, created) in plain where services[place].isKeptStrongly {
            guard let object = created.object, created.type is AnyClass else { continue }
            let others = kept[ObjectIdentifier(created.type), default: []]
            if others.contains(where: { $0.object == object }) { continue }
            kept[ObjectIdentifier(created.type)] = others + [(place, object)]
        }
        return kept.values.filter { $0.count > 1 }.map { group in
            let names = group.map { wiring.name($0.place) }.joined(separator: " and ")
            return wiring.problem(
                .tornLifestyle, group.map(\.place), "\(names) each keep an instance of the same class.",
                "Register the class once, with .implements(…) for each protocol.", isOfAll: true)
        }
    }

    /// Returns the problems of services that request a class by its own type, although it is registered behind a
    /// protocol with another lifetime.
    func shortCircuited(_ wiring: Wiring) -> [WiringProblem] {
        var behindProtocols: [ObjectIdentifier: [Int]] = [:]
        for (place, created) in plain where created.type != services[place].type && created.type is AnyClass {
            behindProtocols[ObjectIdentifier(created.type), default: []].append(place)
        }
        return plain.flatMap { place, created -> [WiringProblem] in
            guard created.type == services[place].type, let others = behindProtocols[ObjectIdentifier(created.type)],
                let other = others.first(where: {
                    services[$0].lifetime != services[place].lifetime
                        && !haveOneObject($0, place, of: Set(others + [place]), wiring)
                })
            else { return [] }
            // The factories behind the protocols cannot ask for themselves.
            return services.indices.filter { consumer in
                wiring.edges[consumer].contains(place) && !others.contains(consumer)
            }.map { consumer in
                wiring.problem(
                    .shortCircuited, [consumer, place],
                    "\(wiring.name(consumer)) needs \(wiring.name(place)), which is \(services[place].lifetime); "
                        + "as \(wiring.name(other)) it is \(services[other].lifetime).",
                    "Ask for \(wiring.name(other)), or register the class once, with .implements(…).")
            }
        }
    }

    /// Whether two registrations of a class give the same object: both keep it, or one gets it from the other.
    ///
    /// - Parameter all: the registrations of the class.
    private func haveOneObject(_ one: Int, _ other: Int, of all: Set<Int>, _ wiring: Wiring) -> Bool {
        // The identity of an object that is not kept may be used again.
        if services[one].isKeptStrongly, services[other].isKeptStrongly {
            return created(one)?.object == created(other)?.object
        }
        return passedOn(by: one, of: all, wiring).contains(other) || passedOn(by: other, of: all, wiring).contains(one)
    }

    /// Returns the registrations of a class from which a service gets its object, if its own lifetime keeps none.
    private func passedOn(by place: Int, of all: Set<Int>, _ wiring: Wiring) -> Set<Int> {
        var found: Set<Int> = [], open = [place]
        while let next = open.popLast() {
            guard services[next].keepsNothing else { continue }
            open += wiring.edges[next].compactMap(wiring.target)
                .filter { all.contains($0) && found.insert($0).inserted }
        }
        return found
    }

    /// The created services by index, without aliases, named services and stubs. A name means that another instance is
    /// wanted.
    private var plain: [(place: Int, created: CreatedService)] {
        services.indices.compactMap { place in
            let service = services[place]
            guard let created = created(place), service.target == nil, service.name == nil, !isStub(place) else {
                return nil
            }
            return (place, created)
        }
    }
}

extension RegisteredService {
    fileprivate var isKeptStrongly: Bool {
        switch keepingLifetime {
        case .cached, .container, .application, .context: true
        case .unique, .graph, .shared, .alias, .custom: false
        }
    }
}
