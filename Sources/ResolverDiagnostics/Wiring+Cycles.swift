import Resolver

// The dependency cycles of the wiring.

extension Wiring {
    /// Returns the dependency cycles: at most one for each service, and none that a member accepts.
    func dependencyCycles() -> [WiringProblem] {
        var cycles: [WiringProblem] = []
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
                let cycle = Array(walk[position[next]!...])
                let areAliases = cycle.allSatisfy { services[$0].target != nil }
                cycles.append(
                    problem(
                        .circularDependency, cycle,
                        "\(name(cycle[0])) \(areAliases ? "is an alias of" : "needs") itself.",
                        areAliases
                            ? "Remove one .implements(…), so that one of them is registered with a factory."
                            : "Resolve one of them later: with @LazyInjected, or in .resolveProperties.",
                        then: name(cycle[0])))
                remove(cycle)
            }
        }
        return cycles
    }
}
