/// The search for an order of calls that explains the observations of threads, by the algorithm of Wing and Gong. The
/// reference says what each call would return.
struct HistoryOrder {
    private let history: History
    private let observed: [Observation]

    init(_ history: History, _ observed: [Observation]) {
        self.history = history
        self.observed = observed
    }

    var isThere: Bool { extend([], rest: observed) }

    /// Whether the remaining calls can follow the ordered ones. A call may come next if no remaining call ended before it
    /// began.
    private func extend(_ order: [Observation], rest: [Observation]) -> Bool {
        guard let firstEnd = rest.map(\.ended).min() else { return true }
        return rest.indices.contains { index in
            guard rest[index].began <= firstEnd else { return false }
            let next = order + [rest[index]]
            guard isRight(next) else { return false }
            var others = rest
            others.remove(at: index)
            return extend(next, rest: others)
        }
    }

    /// Whether the reference gives the observed results, except for the numbers of instances.
    private func isRight(_ order: [Observation]) -> Bool {
        let world = HistoryWorld(history, on: ReferenceSystem())
        var names: [Int: Int] = [:]
        var taken: Set<Int> = []
        for observation in order {
            switch (world.perform(observation.call, observation.number), observation.outcome) {
            case (.instance(let registration, let number), .instance(let seenRegistration, let seen)):
                guard registration == seenRegistration else { return false }
                if let name = names[seen] {
                    if name != number { return false }
                } else {
                    guard taken.insert(number).inserted else { return false }
                    names[seen] = number
                }
            case (let right, let seen):
                if right != seen { return false }
            }
        }
        return true
    }
}
