import Resolver

/// The results of a rehearsal so far.
struct RehearsalProgress {
    enum Outcome {
        case created(CreatedService)
        case failed(any Error)
    }

    private(set) var services: [RegisteredService] = []
    /// The index in `services` by type and name.
    private var places: [ServiceKey: Int] = [:]
    /// The index in `services` by the name in messages.
    private var placesByName: [String: Int] = [:]
    var rehearsal: Rehearsal?
    /// The errors of release hooks.
    var releaseErrors: [ResolutionError] = []
    /// The error that is about to end the program.
    var fatalError: ResolutionError?
    var isOutOfTime = false
    private var outcomes: [UInt64: Outcome] = [:]
    private var current: RegisteredService?
    /// The requests in progress, the outermost first.
    private var lookups: [ResolutionEvent] = []
    /// The requests that factories have made.
    private var needs: [ServiceKey: Set<ServiceKey>] = [:]

    mutating func add(_ new: [RegisteredService]) {
        for service in new {
            places[service.key] = places[service.key] ?? services.count
            let name = Self.name(service)
            placesByName[name] = placesByName[name] ?? services.count
            services.append(service)
        }
    }

    mutating func begin(_ service: RegisteredService) {
        current = service
        lookups = []
    }

    mutating func end(_ service: RegisteredService, _ outcome: Outcome) {
        current = nil
        outcomes[service.number] = outcome
    }

    /// Whether the service was not created because it needs an asynchronous service that did not exist yet.
    func requiresAsync(_ service: RegisteredService) -> Bool {
        guard case .failed(let error as ResolutionError) = outcomes[service.number] else { return false }
        return error.code == .requiresAsync
    }

    mutating func note(_ event: ResolutionEvent) {
        switch event.kind {
        case .lookup:
            if let consumer = event.consumerKey {
                if isKnown(event.key, event.registered), isKnown(consumer, event.consumerRegistered) {
                    needs[consumer, default: []].insert(event.key)
                }
                // Earlier requests of this factory have been served by now.
                if let index = lookups.lastIndex(where: { $0.key == consumer }) {
                    lookups.removeSubrange((index + 1)...)
                }
            }
            lookups.append(event)
        case .made, .hit:
            let made = lookups.lastIndex { $0.key == event.key }
            if let made { lookups.removeSubrange(made...) }
        case .kept:
            break
        }
    }

    /// Whether no registration of `key` is known, or the one at `location` is. Another container may have a registration of its own.
    private func isKnown(_ key: ServiceKey, _ location: Resolver.SourceLocation?) -> Bool {
        places[key].map { services[$0].location == location } ?? true
    }

    // MARK: The report

    func report() -> WiringReport {
        let wiring = Wiring(services, observed: needs)
        var problems = failures(wiring) + torn(wiring) + shortCircuited(wiring)
        // These checks include the dependencies of closures, which `verify()` does not see.
        problems += wiring.captives() + wiring.unreachable()
        if isOutOfTime { problems.append(hang(wiring)) }
        problems += releaseErrors.map(problem)
        let notCreated = notCreated(wiring)
        let left = wiring.accept(problems) { place, kind in
            if isOutOfTime { return false }
            // A service that was not created may have the problem that it accepts.
            switch kind {
            case .tornLifestyle, .shortCircuited: return notCreated.isEmpty
            case _ where kind.isOfRehearsal || kind.isOfEdges:
                return ([place] + wiring.allBelow(place)).allSatisfy { created($0) != nil && !isStub($0) }
            default: return false
            }
        }
        return WiringReport(withoutConsequences(left, wiring), of: services, notCreated: notCreated)
    }

    /// Removes the failures for which another problem gives the reason.
    private func withoutConsequences(_ problems: [WiringProblem], _ wiring: Wiring) -> [WiringProblem] {
        let reasons = problems.filter(\.kind.isOfEdges).map { withoutAliases($0.path, wiring) }
        return problems.filter { problem in
            guard problem.kind == .failed, let number = problem.numbers.first,
                case .failed(let error)? = outcomes[number]
            else { return true }
            // The failure may be noticed before the end of the reason's path, or further down. The service with the problem may itself
            // be on the path, if it was created for another consumer.
            let path = withoutAliases(Self.path(error).map(Self.name), wiring)
            return !path.indices.dropLast().contains { start in
                reasons.contains { zip($0, path[start...]).allSatisfy(==) }
            }
        }
    }

    /// Returns a path with the services that its aliases stand for, because an error may name either or both.
    private func withoutAliases(_ path: [String], _ wiring: Wiring) -> [String] {
        path.map { placesByName[$0].flatMap(wiring.target).map(wiring.name) ?? $0 }
            .reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }

    /// Whether the rehearsal has replaced the app's registration.
    func isStub(_ place: Int) -> Bool { rehearsal?.stubs.contains(services[place].key) ?? false }

    func created(_ place: Int) -> CreatedService? {
        if case .created(let created) = outcomes[services[place].number] { created } else { nil }
    }

    /// Returns the failures of services, except those that a dependency's failure has caused.
    private func failures(_ wiring: Wiring) -> [WiringProblem] {
        let failures = services.indices.compactMap { place -> (place: Int, error: any Error)? in
            guard case .failed(let error) = outcomes[services[place].number], reasonNotToCreate(error, place) == nil
            else { return nil }
            return (place, error)
        }
        let places = Set(failures.map(\.place)), paths = Set(failures.map { Self.path($0.error) })
        let names = Set(failures.map { Self.name(services[$0.place]) })
        var cycles: Set<Set<ResolutionError.Hop>> = []
        return failures.filter { failure in
            // An alias creates nothing itself.
            if let source = wiring.target(of: failure.place), source != failure.place, places.contains(source) {
                return false
            }
            let path = Self.path(failure.error)
            // A dependency cycle is reported once, at any of its services that has failed.
            if (failure.error as? ResolutionError)?.code == .circularDependency {
                let members = Set(path.map(Self.name))
                let isPlace = members.contains(Self.name(services[failure.place])) || members.isDisjoint(with: names)
                return isPlace && cycles.insert(Set(path)).inserted
            }
            return path.count < 2 || !path.indices.dropFirst().contains { paths.contains(Array(path[$0...])) }
        }.map { place, error in
            wiring.problem(
                .failed, [place], "\(wiring.name(place)) cannot be created.",
                "\(error)".split(separator: "\n").joined(separator: "\n  "))
        }
    }

    private static func path(_ error: any Error) -> [ResolutionError.Hop] { (error as? ResolutionError)?.path ?? [] }

    /// Returns the reason why a service was not created, if that is not a problem.
    private func reasonNotToCreate(_ error: any Error, _ place: Int) -> String? {
        guard let error = error as? ResolutionError else { return nil }
        if error.code == .factoryReturnedNil, let missing = error.path.last.map(Self.name),
            let (skipped, reason) = skipped(behind: missing)
        {
            return error.path.count == 1 && skipped == missing
                ? "skipped, because: \(reason)" : "needs \(skipped), which is skipped"
        }
        let row = Wiring.aliases(from: place, services, places), source = row[row.count - 1]
        // An alias has the reason of its service.
        if source != place, case .failed(let error)? = outcomes[services[source].number] {
            return reasonNotToCreate(error, source)
        }
        // The missing arguments of a dependency are a problem: its consumer should have passed them.
        let names = Set(row.map { Self.name(services[$0]) })
        guard error.path.allSatisfy({ names.contains(Self.name($0)) }) else { return nil }
        switch error.code {
        // If arguments were given, the error says which one is missing.
        case .missingArgument where row.allSatisfy({ arguments(of: services[$0]) == nil }):
            let service = services[place]
            let call = Wiring.written(service.type, service.name) { ResolverDependency($0).description }
            return "needs arguments: rehearsal.arguments(…, for: \(call))"
        // An alias is also nil if its service is not registered, or does not conform.
        case .factoryReturnedNil where services[source].target == nil && created(source) == nil:
            return "its factory returned nil"
        default: return nil
        }
    }

    func arguments(of service: RegisteredService) -> (any Sendable)? { rehearsal?.arguments[service.key] }

    /// Returns the service, then the services that it stands for, if it is an alias.
    func aliases(from service: RegisteredService) -> [RegisteredService] {
        guard let place = places[service.key] else { return [service] }
        return Wiring.aliases(from: place, services, places).map { services[$0] }
    }

    /// Returns the skipped service that a service is, or for which it is an alias, and the reason.
    private func skipped(behind service: String) -> (service: String, reason: String)? {
        guard let skipped = rehearsal?.skipped, !skipped.isEmpty else { return nil }
        let row = placesByName[service].map { aliases(from: services[$0]) } ?? []
        for name in [service] + row.dropFirst().map(Self.name) {
            if let reason = skipped[name] { return (name, reason) }
        }
        return nil
    }

    private static func name(_ hop: ResolutionError.Hop) -> String {
        hop.name.map { "\(hop.service) \"\($0)\"" } ?? hop.service
    }

    private static func name(_ service: RegisteredService) -> String {
        "\(ResolverDependency(service.type, name: service.name))"
    }

    private func notCreated(_ wiring: Wiring) -> [String] {
        services.indices.compactMap { place in
            let reason: String? =
                switch outcomes[services[place].number] {
                case .created: nil
                case .failed(let error): reasonNotToCreate(error, place)
                case nil: reasonNotReached(place)
                }
            return reason.map { "\(wiring.name(place)): \($0)" }
        }
    }

    /// Returns the reason why a service has no outcome, if that is not a problem.
    private func reasonNotReached(_ place: Int) -> String? {
        let service = services[place]
        if let reason = rehearsal?.skipped[Self.name(service)] { return "skipped, because: \(reason)" }
        if service.number == current?.number {
            if isOutOfTime { return nil }
            return fatalError.flatMap { reasonNotToCreate($0, place) } ?? "its creation has not ended"
        }
        return isOutOfTime ? "the time of the rehearsal was over" : "not reached"
    }

    /// Returns the problem of the service that was being created when the time was over.
    private func hang(_ wiring: Wiring) -> WiringProblem {
        guard let current, let place = services.firstIndex(where: { $0.number == current.number }) else {
            return WiringProblem(
                kind: .hangs, path: [], location: nil, reason: "The rehearsal does not end.",
                advice: "Look for a release hook that does not return.", numbers: [])
        }
        // The innermost request, and the chain of its consumers.
        var path: [String] = []
        var consumer: ServiceKey?
        for lookup in lookups.reversed() where path.isEmpty || lookup.key == consumer {
            let created = wiring.places[lookup.key].flatMap(wiring.target)
            path.insert(created.map(wiring.name) ?? "\(ResolverDependency(lookup.type, name: lookup.name))", at: 0)
            consumer = lookup.consumerKey
        }
        if path.first == wiring.name(place) { path.removeFirst() }
        let last = path.last ?? wiring.name(place)
        return WiringProblem(
            kind: .hangs, path: [wiring.name(place)] + path, location: current.location,
            reason: "\(last) was still being created when the time of the rehearsal was over.",
            advice: "Replace what it waits for with rehearsal.stub, or leave it out with rehearsal.skip.",
            numbers: [current.number])
    }

    /// Returns the problem of a release hook that threw at the end of the rehearsal.
    private func problem(_ error: ResolutionError) -> WiringProblem {
        let service = services.first {
            $0.location == error.path.last?.location && $0.name?.rawValue == error.name
                && "\(ResolverDependency($0.type))" == error.service
        }
        return WiringProblem(
            kind: .failed, path: error.path.map(\.description), location: error.path.last?.location,
            reason: "A release hook of \(error.service) threw.",
            advice: "\(error)".split(separator: "\n").joined(separator: "\n  "),
            numbers: service.map { [$0.number] } ?? [])
    }
}
