import Resolver

/// The services of a resolver as a dependency graph, and the checks of that graph.
struct Wiring {
    let services: [RegisteredService]
    /// The index in `services` by key.
    let places: [ServiceKey: Int]
    /// The registered dependencies of each service, as indices.
    let edges: [[Int]]

    /// - Parameter observed: the services that factories were seen to request, by consumer.
    init(_ services: [RegisteredService], observed: [ServiceKey: Set<ServiceKey>] = [:]) {
        let places = Dictionary(
            services.enumerated().map { ($1.key, $0) }
        ) { first, _ in first }
        self.services = services
        self.places = places
        edges = services.map { service in
            let declared = service.needs.flatMap { Wiring.places(of: $0, places) }
            let others = (observed[service.key] ?? []).compactMap { places[$0] }
            var seen: Set<Int> = []
            return (declared + others.sorted()).filter { seen.insert($0).inserted }
        }
    }

    func report() -> WiringReport {
        let problems = missing() + dependencyCycles() + captives() + onSeveralActors() + unreachable() + withoutEffect()
        return WiringReport(
            accept(problems) { place, kind in
                kind == .aliasWithoutTarget || kind == .modifierWithoutEffect
                    || !kind.isOfRehearsal && isDeclared(place, for: kind)
            }, of: services)
    }

    /// Whether all dependencies that may cause a problem of this kind are declared: those of the service and those further down.
    private func isDeclared(_ place: Int, for kind: WiringProblemKind) -> Bool {
        guard services[place].isDeclared else { return false }
        guard kind == .captive || kind == .circularDependency else { return true }
        var seen: Set<Int> = [], open = edges[place]
        while let next = open.popLast() {
            // A service that is kept has its captive dependencies itself.
            if kind == .captive, services[next].rank != nil { continue }
            guard seen.insert(next).inserted else { continue }
            if !services[next].isDeclared, services[next].target == nil { return false }
            open += below(next)
        }
        return true
    }

    // MARK: Dependencies

    /// Returns the services that a dependency may get: of its type and, where that is an optional that may be nil, of the wrapped type.
    static func places(of need: ResolverDependency, _ places: [ServiceKey: Int]) -> [Int] {
        [need.type, need.wrapped].compactMap { $0.flatMap { places[ServiceKey($0, as: $0, need.name)] } }
    }

    /// Whether a dependency must be registered and is not.
    func isMissing(_ need: ResolverDependency) -> Bool {
        // A parameter of this type is the resolver itself.
        let isResolver = need.type == Resolver.self && need.name == nil
        return need.wrapped == nil && !isResolver && Wiring.places(of: need, places).isEmpty
    }

    /// Returns the dependencies of a service, or the source of an alias.
    func below(_ place: Int) -> [Int] { edges[place] + (Wiring.source(of: services[place], places).map { [$0] } ?? []) }

    /// Returns the direct and indirect dependencies of a service. The service itself is one if it is in a dependency cycle.
    func allBelow(_ place: Int) -> Set<Int> {
        var all: Set<Int> = []
        var open = [place]
        while let next = open.popLast() {
            open += below(next).filter { all.insert($0).inserted }
        }
        return all
    }

    /// Returns the index of a service, then of those that it stands for as an alias, in turn.
    ///
    /// The last one is an alias if its service is not registered, or if the aliases form a cycle.
    static func aliases(from place: Int, _ services: [RegisteredService], _ places: [ServiceKey: Int]) -> [Int] {
        var row = [place]
        while row.count <= services.count, let next = source(of: services[row[row.count - 1]], places) {
            row.append(next)
        }
        return row
    }

    private static func source(of service: RegisteredService, _ places: [ServiceKey: Int]) -> Int? {
        service.target.flatMap { places[$0] }
    }

    /// Returns the index of the service behind an alias, or of the service itself if it is not an alias.
    func target(of place: Int) -> Int? {
        Wiring.aliases(from: place, services, places).last.flatMap { services[$0].target == nil ? $0 : nil }
    }

    /// Whether a service is an alias, and the service behind it is not registered.
    func isWithoutTarget(_ place: Int) -> Bool {
        let last = services[Wiring.aliases(from: place, services, places).last ?? place]
        return last.target != nil && Wiring.source(of: last, places) == nil
    }

    /// Returns the services in the order of their creation: first what an accepted `requiresAsync` waits for, as an app creates
    /// it when it starts.
    ///
    /// Among these, a service that needs others follows them. A consumer that declares nothing may wait for any of them.
    func inOrderOfCreation() -> [RegisteredService] {
        let awaited = Set(
            services.indices.filter { accepts($0, .requiresAsync) }
                .flatMap { services[$0].isDeclared ? edges[$0].compactMap(target) : Array(services.indices) }
                .filter { services[$0].isAsync })
        let first = awaited.map { (allBelow($0).intersection(awaited).count, $0) }.sorted { $0 < $1 }.map(\.1)
        return (first + services.indices.filter { !awaited.contains($0) }).map { services[$0] }
    }

    // MARK: Acceptance

    func accepts(_ place: Int, _ kind: WiringProblemKind) -> Bool {
        services[place].accepted.contains { $0.kind == kind }
    }

    /// Returns the problems that are not accepted, and the acceptances without a problem.
    ///
    /// - Parameter isComplete: whether `problems` has all problems of this kind for a service.
    func accept(
        _ problems: [WiringProblem], isComplete: (Int, WiringProblemKind) -> Bool
    ) -> [WiringProblem] {
        struct Affected: Hashable { let kind: WiringProblemKind, number: UInt64 }
        let affected = problems.map { problem in problem.numbers.map { Affected(kind: problem.kind, number: $0) } }
        let all = Set(affected.joined())
        let accepted = Set(
            services.flatMap { service in
                service.accepted.map { Affected(kind: $0.kind, number: service.number) }
            })
        var left = zip(problems, affected).filter { accepted.isDisjoint(with: $1) }.map(\.0)
        for place in services.indices {
            for (kind, reason) in services[place].accepted {
                // `problems` has no dependency cycle that a member accepts.
                let isProblem =
                    kind == .circularDependency
                    ? allBelow(place).contains(place)
                    : all.contains(Affected(kind: kind, number: services[place].number))
                if !isProblem, isComplete(place, kind) {
                    left.append(
                        problem(
                            .acceptedInVain, [place],
                            "\(name(place)) accepts \(kind), because \"\(reason)\", but has no such problem.",
                            "Remove .accepting(.\(kind), …)."))
                }
            }
        }
        return left
    }

    // MARK: Texts

    func name(_ place: Int) -> String {
        ResolverDependency(services[place].type, name: services[place].name).description
    }

    static func name(_ actor: any Actor) -> String {
        actor === MainActor.shared ? "the main actor" : "an actor of type \(type(of: actor))"
    }

    /// - Parameters:
    ///   - path: the services on the path. The first one has the problem.
    ///   - last: the end of the path, if it is not a registered service.
    ///   - isOfAll: whether all services on the path have the problem.
    func problem(
        _ kind: WiringProblemKind, _ path: [Int], _ reason: String, _ advice: String, then last: String? = nil,
        isOfAll: Bool = false
    ) -> WiringProblem {
        WiringProblem(
            kind: kind, path: path.map(name) + (last.map { [$0] } ?? []), location: services[path[0]].location,
            reason: reason, advice: advice, numbers: path.prefix(isOfAll ? path.count : 1).map { services[$0].number })
    }
}

extension RegisteredService {
    /// Whether each call, or each resolution cycle, creates an instance.
    var keepsNothing: Bool { keepingLifetime == .unique || keepingLifetime == .graph }
}
