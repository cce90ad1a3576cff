import Resolver

// The problems of single dependencies and services.

extension Wiring {
    func missing() -> [WiringProblem] {
        let byType = Dictionary(grouping: services.indices) { ObjectIdentifier(services[$0].type) }
        return services.indices.flatMap { place -> [WiringProblem] in
            let service = services[place]
            if isWithoutTarget(place) {
                return [
                    problem(
                        .aliasWithoutTarget, [place], "\(name(place)) is an alias of a service that is not registered.",
                        "Register that service, or remove .implements(\(Self.written(service.type, service.name))).")
                ]
            }
            var seen: Set<String> = []
            return service.needs.compactMap { need in
                guard isMissing(need), seen.insert("\(need)").inserted else { return nil }
                let names = (byType[ObjectIdentifier(need.type)] ?? []).prefix(5).map { other in
                    services[other].name.map { "\"\($0.rawValue)\"" } ?? "no name"
                }
                // An initializer gives no names, so a dependency with one was declared with `.needs`.
                let declaration =
                    need.name == nil
                    ? "Register with a closure, and declare the name with .needs(…, name:)."
                    : "Register it with this name too, or declare and resolve another one."
                return problem(
                    .missing, [place], "\(name(place)) needs \(need), which is not registered.",
                    names.isEmpty
                        ? Self.adviceOnMissing(need, of: service)
                        : "It is registered with \(names.joined(separator: ", ")). \(declaration)",
                    then: need.description)
            }
        }
    }

    /// Returns the advice on a missing dependency. Values and functions without a name are usually passed, and not
    /// registered.
    private static func adviceOnMissing(_ need: ResolverDependency, of service: RegisteredService) -> String {
        if need.name != nil {
            return "Register it with this name: register(\(written(need.type, need.name))) { … }; "
                + "or take it as an optional."
        }
        let name = String(reflecting: need.type)
        return name.hasPrefix("Swift.") || name.contains("->")
            ? "Pass it in a closure: register(\(written(service.type, service.name))) { resolver in … }."
            : "Register it, or take it as an optional."
    }

    /// Returns a type and a name as arguments of a call.
    ///
    /// - Parameter spelled: returns the name of a type.
    static func written(
        _ type: Any.Type, _ name: Resolver.Name?, spelled: (Any.Type) -> String = { "\($0)" }
    ) -> String {
        // The metatype has the parentheses that compositions and functions need.
        let metatype = spelled(Swift.type(of: type)), text = spelled(type)
        let operand =
            if text == "Any" {
                text
            } else if metatype.hasSuffix(".Protocol") {
                "(any \(text))"
            } else {
                String(metatype.dropLast(".Type".count))
            }
        return operand + ".self" + (name.map { ", name: \($0.rawValue.debugDescription)" } ?? "")
    }

    /// Returns the captive dependencies, direct or through services that are created together with a longer-lived one.
    func captives() -> [WiringProblem] {
        let leading = placesThatLeadToContexts()
        return services.indices.flatMap { place -> [WiringProblem] in
            guard let rank = services[place].rank else { return [] }
            var problems: [WiringProblem] = []
            var came: [Int: Int] = [:]
            var open = edges[place].filter(leading.contains)
            for needed in open { came[needed] = place }
            while let next = open.popLast() {
                let service = services[next]
                if case .context(let kind) = service.lifetime, kind.rank < rank {
                    var path = [next]
                    while let last = path.last, last != place, let before = came[last] { path.append(before) }
                    problems.append(
                        problem(
                            .captive, Array(path.reversed()),
                            "\(name(place)) needs \(name(next)), which belongs to a \(kind) and does not live as long.",
                            "Resolve it where it is used, with @Inject or in a method; or register \(name(place)) with \(kind.modifier)."
                        )
                    )
                }
                guard service.rank == nil else { continue }
                for needed in below(next) where came[needed] == nil && needed != place && leading.contains(needed) {
                    came[needed] = next
                    open.append(needed)
                }
            }
            return problems
        }
    }

    /// Returns the services of contexts, and those that need one directly or through services that are created together with them.
    ///
    /// Without them, the search for captive dependencies would go through all dependencies of each kept service.
    private func placesThatLeadToContexts() -> Set<Int> {
        var consumers = [[Int]](repeating: [], count: services.count)
        for place in services.indices where services[place].rank == nil {
            for needed in below(place) { consumers[needed].append(place) }
        }
        var found: Set<Int> = []
        var open = services.indices.filter { if case .context = services[$0].lifetime { true } else { false } }
        while let next = open.popLast() { if found.insert(next).inserted { open += consumers[next] } }
        return found
    }

    /// Returns the services whose factory and blocks cannot run on one actor.
    func onSeveralActors() -> [WiringProblem] {
        services.indices.compactMap { place in
            let service = services[place]
            guard service.actors.count > 1 else { return nil }
            return problem(
                .wrongIsolation, [place],
                "The \(service.isAsync ? "" : "factory and ")blocks of \(name(place)) belong to "
                    + "\(service.actors.map(Wiring.name).joined(separator: " and ")).",
                "Isolate them to one actor, or set the properties in \(service.isAsync ? "the" : "an") asynchronous factory."
            )
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
                    let isThere =
                        needed.keepsNothing
                        ? "register \(name(target)) with a scope that keeps its instance, such as .application, create it earlier"
                        : "create \(name(target)) earlier"
                    return problem(
                        .requiresAsync, path,
                        "\(name(place)) is created synchronously and needs \(name(target)), which is created asynchronously.",
                        "Make its factory asynchronous and call resolveAsync() in it; or \(isThere) and write "
                            + ".accepting(.requiresAsync, because: …)."
                    )
                }
                guard let actor = needed.actors.first(where: { actor in !service.actors.contains { $0 === actor } })
                else { return nil }
                return problem(
                    .wrongIsolation, path,
                    "\(name(target)) is created on \(Wiring.name(actor)), where the factory of \(name(place)) does not run.",
                    "Isolate that factory to the same actor, or make it asynchronous and call resolveAsync() in it.")
            }
        }
    }

    func withoutEffect() -> [WiringProblem] {
        services.indices.compactMap { place in
            let service = services[place]
            let modifiers = service.keepingModifiers.joined(separator: " and ")
            switch service.keepingLifetime {
            case .unique, .graph:
                if modifiers.isEmpty { return nil }
            case .shared:
                if !service.keepingModifiers.contains(".onRelease") { return nil }
            case .cached, .container, .application, .context, .alias, .custom: return nil
            }
            let modifier = service.keepingLifetime == .shared ? ".onRelease" : modifiers
            return problem(
                .modifierWithoutEffect, [place],
                "\(name(place)) has \(modifier), but its lifetime, \(service.keepingLifetime), does not keep instances.",
                "Remove \(modifier), or use a scope that keeps instances, such as .cached.")
        }
    }
}

extension WiringProblemKind {
    /// Whether the problem is about a service and one of its dependencies together.
    var isOfEdges: Bool {
        switch self {
        case .captive, .wrongIsolation, .requiresAsync: true
        default: false
        }
    }

    /// Whether only `rehearse` finds the problem, and not `verify()`.
    var isOfRehearsal: Bool {
        switch self {
        case .failed, .hangs, .tornLifestyle, .shortCircuited: true
        default: false
        }
    }
}
