import Resolver

/// The services of a resolver as a dependency graph, and the checks of that graph.
struct Wiring {
    struct Key: Hashable {
        let type: ObjectIdentifier
        let name: Resolver.Name?

        init(_ type: Any.Type, _ name: Resolver.Name?) {
            self.init(type: ObjectIdentifier(type), name: name)
        }

        init(type: ObjectIdentifier, name: Resolver.Name?) {
            self.type = type
            self.name = name
        }
    }

    let services: [RegisteredService]
    /// The index in `services` by type and name.
    private let places: [Key: Int]
    /// The registered dependencies of each service, as indices.
    let edges: [[Int]]

    /// - Parameter observed: the services that factories were seen to request, by consumer.
    init(_ services: [RegisteredService], observed: [Key: Set<Key>] = [:]) {
        let places = Dictionary(
            services.enumerated().map { (Key($1.type, $1.name), $0) }
        ) { first, _ in first }
        self.services = services
        self.places = places
        edges = services.map { service in
            let declared = Wiring.needs(of: service, places).compactMap {
                if case .place(let place) = $0.answer { place } else { nil }
            }
            let others = (observed[Key(service.type, service.name)] ?? []).compactMap { places[$0] }
            return declared + Set(others).subtracting(declared).sorted()
        }
    }

    func report() -> WiringReport {
        let problems = missing() + circles() + captives() + unreachable() + withoutEffect()
        return WiringReport(
            accept(problems) { place, kind in
                kind == .aliasWithoutTarget || kind == .modifierWithoutEffect
                    || services[place].isDeclared && !kind.isOfRehearsal
            }, of: services)
    }

    // MARK: Dependencies

    private enum Answer {
        case place(Int)
        /// An optional that is not registered, or the resolver itself.
        case nothingNeeded
        case missing
    }

    private static func needs(
        of service: RegisteredService, _ places: [Key: Int]
    ) -> [(dependency: Dependency, answer: Answer)] {
        service.needs.map { need in
            func place(_ type: Any.Type) -> Answer? {
                places[Key(type, need.name)].map { .place($0) }
            }
            if let place = place(need.type) { return (need, place) }
            if let wrapped = need.wrapped { return (need, place(wrapped) ?? .nothingNeeded) }
            return (need, need.type == Resolver.self ? .nothingNeeded : .missing)
        }
    }

    /// Returns the dependencies of a service, or the source of an alias.
    private func below(_ place: Int) -> [Int] {
        edges[place] + [services[place].target.flatMap { places[Key(type: $0.type, name: $0.name)] }].compactMap { $0 }
    }

    /// Returns the index of an alias's service, or of the service itself if it is not an alias.
    func target(of place: Int) -> Int? {
        var place = place
        for _ in 0...services.count {
            guard let target = services[place].target else { return place }
            guard let next = places[Key(type: target.type, name: target.name)] else { return nil }
            place = next
        }
        return nil
    }

    // MARK: Problems

    private func missing() -> [WiringProblem] {
        let byType = Dictionary(grouping: services.indices) { ObjectIdentifier(services[$0].type) }
        return services.indices.flatMap { place -> [WiringProblem] in
            let service = services[place]
            if service.target != nil, target(of: place) == nil {
                return [
                    problem(
                        .aliasWithoutTarget, [place], "\(name(place)) stands for a service that is not registered.",
                        "Register that service, or remove .implements(\(service.type).self).")
                ]
            }
            var seen: Set<String> = []
            return Wiring.needs(of: service, places).compactMap { need, answer in
                guard case .missing = answer else { return nil }
                if !seen.insert("\(need)").inserted { return nil }
                let names = (byType[ObjectIdentifier(need.type)] ?? []).prefix(5).map { other in
                    services[other].name.map { "\"\($0.rawValue)\"" } ?? "no name"
                }
                return problem(
                    .missing, [place], "\(name(place)) needs \(need), which is not registered.",
                    names.isEmpty
                        ? Self.adviceOnMissing(need.type, of: service.type)
                        : "It is registered with \(names.joined(separator: ", ")): say which with .needs(…, name:) and a closure.",
                    then: need.description)
            }
        }
    }

    /// Values and functions are usually passed, and not registered.
    private static func adviceOnMissing(_ type: Any.Type, of service: Any.Type) -> String {
        let name = String(reflecting: type)
        return name.hasPrefix("Swift.") || name.contains("->")
            ? "Pass it in a closure: register { resolver in \(service)(…) }."
            : "Register it, or take it as an optional."
    }

    /// Returns the dependency cycles: at most one for each service, and none that a member accepts.
    private func circles() -> [WiringProblem] {
        var circles: [WiringProblem] = []
        let edges = services.indices.map(below)
        var consumers: [[Int]] = Array(repeating: [], count: services.count)
        for (place, needed) in edges.enumerated() { for other in needed { consumers[other].append(place) } }
        // A service without remaining dependencies is in no dependency cycle.
        var open = edges.map(\.count)
        var isLeft = Array(repeating: true, count: services.count)
        func remove(_ places: [Int]) {
            var places = places.filter { isLeft[$0] }
            for place in places { isLeft[place] = false }
            while let place = places.popLast() {
                for consumer in consumers[place] {
                    open[consumer] -= 1
                    if open[consumer] == 0, isLeft[consumer] {
                        isLeft[consumer] = false
                        places.append(consumer)
                    }
                }
            }
        }
        remove(services.indices.filter { open[$0] == 0 || accepts($0, .circularDependency) })
        for start in services.indices {
            while isLeft[start] {
                // Each remaining service depends on another one, so the walk reaches a service twice.
                var walk: [Int] = []
                var next = start
                var position: [Int: Int] = [:]
                while position[next] == nil {
                    position[next] = walk.count
                    walk.append(next)
                    next = edges[next].first { isLeft[$0] } ?? next
                }
                let circle = Array(walk[position[next]!...])
                circles.append(
                    problem(
                        .circularDependency, circle, "\(name(circle[0])) needs itself.",
                        "Resolve one of them later: with @LazyInjected, or in .resolveProperties.",
                        then: name(circle[0])))
                remove(circle)
            }
        }
        return circles
    }

    /// Returns the captive dependencies, direct or through services that are made together with a longer-lived one.
    func captives() -> [WiringProblem] {
        services.indices.flatMap { place -> [WiringProblem] in
            guard let rank = services[place].rank else { return [] }
            var problems: [WiringProblem] = []
            var came: [Int: Int] = [:]
            var open = edges[place]
            for needed in open { came[needed] = place }
            while let next = open.popLast() {
                let service = services[next]
                if case .context(let kind) = service.lifetime, kind.rank < rank {
                    var path = [next]
                    while let last = path.last, last != place, let before = came[last] { path.append(before) }
                    problems.append(
                        problem(
                            .captive, Array(path.reversed()),
                            "\(name(place)) lives longer than \(name(next)), which belongs to a \(kind), and needs it.",
                            "Resolve it where it is used, with @Inject or in a method; or register \(name(place)) with .scoped(to: .\(kind))."
                        )
                    )
                }
                guard service.rank == nil else { continue }
                for needed in below(next) where came[needed] == nil && needed != place {
                    came[needed] = next
                    open.append(needed)
                }
            }
            return problems
        }
    }

    /// Returns the dependencies that a synchronous factory cannot get where it runs.
    func unreachable() -> [WiringProblem] {
        services.indices.flatMap { place -> [WiringProblem] in
            let service = services[place]
            guard !service.isAsync, service.target == nil else { return [] }
            return edges[place].compactMap { edge in
                guard let target = target(of: edge) else { return nil }
                let path = edge == target ? [place, target] : [place, edge, target]
                let needed = services[target]
                if needed.isAsync {
                    return problem(
                        .requiresAsync, path,
                        "\(name(place)) is created synchronously and needs \(name(target)), which is created asynchronously.",
                        "Make its factory asynchronous, with resolveAsync(); or create \(name(target)) before and accept this."
                    )
                }
                guard let actor = needed.actors.first(where: { actor in !service.actors.contains { $0 === actor } })
                else { return nil }
                return problem(
                    .wrongIsolation, path,
                    "\(name(target)) is created on \(Wiring.name(actor)), where the factory of \(name(place)) does not run.",
                    "Isolate that factory to the same actor, or make it asynchronous, with resolveAsync().")
            }
        }
    }

    private func withoutEffect() -> [WiringProblem] {
        services.indices.compactMap { place in
            let service = services[place]
            let modifiers = service.keepingModifiers.joined(separator: " and ")
            switch service.lifetime {
            case .unique, .graph:
                if modifiers.isEmpty { return nil }
            case .shared:
                if !service.keepingModifiers.contains(".onRelease") { return nil }
            case .cached, .container, .application, .context, .alias, .custom: return nil
            }
            let modifier = service.lifetime == .shared ? ".onRelease" : modifiers
            return problem(
                .modifierWithoutEffect, [place],
                "\(name(place)) has \(modifier), and its lifetime, \(service.lifetime), does not hold instances.",
                "Remove \(modifier), or use a scope that keeps instances, such as .cached.")
        }
    }

    // MARK: Acceptance

    private func accepts(_ place: Int, _ kind: WiringProblemKind) -> Bool {
        services[place].accepted.contains { $0.kind == kind }
    }

    /// Whether a service depends on itself, directly or through others.
    private func isInCircle(_ place: Int) -> Bool {
        var seen: Set<Int> = []
        var open = [place]
        while let next = open.popLast() {
            for needed in below(next) {
                if needed == place { return true }
                if seen.insert(needed).inserted { open.append(needed) }
            }
        }
        return false
    }

    /// Returns the problems that are not accepted, and the acceptances without a problem.
    ///
    /// - Parameter isComplete: whether `problems` has all problems of this kind for a service.
    func accept(
        _ problems: [WiringProblem], isComplete: (Int, WiringProblemKind) -> Bool
    ) -> [WiringProblem] {
        var left = problems
        for place in services.indices {
            let service = services[place]
            for (kind, reason) in service.accepted {
                left.removeAll { $0.kind == kind && $0.number == service.number }
                // `problems` has no dependency cycle that a member accepts.
                let isProblem =
                    kind == .circularDependency
                    ? isInCircle(place)
                    : problems.contains { $0.kind == kind && $0.number == service.number }
                if !isProblem, isComplete(place, kind) {
                    left.append(
                        problem(
                            .acceptedInVain, [place],
                            "\(name(place)) accepts \(kind), because \"\(reason)\", and has no such problem.",
                            "Remove .accepting(.\(kind), …)."))
                }
            }
        }
        return left
    }

    // MARK: Texts

    func name(_ place: Int) -> String {
        Dependency(services[place].type, name: services[place].name).description
    }

    static func name(_ actor: any Actor) -> String {
        actor === MainActor.shared ? "the main actor" : "an actor of type \(type(of: actor))"
    }

    /// - Parameters:
    ///   - path: the services on the path. The first one has the problem.
    ///   - last: the end of the path, if it is not a registered service.
    func problem(
        _ kind: WiringProblemKind, _ path: [Int], _ reason: String, _ advice: String, then last: String? = nil
    ) -> WiringProblem {
        let service = services[path[0]]
        return WiringProblem(
            kind: kind, path: path.map(name) + (last.map { [$0] } ?? []), location: service.location, reason: reason,
            advice: advice, number: service.number)
    }
}
