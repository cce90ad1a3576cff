// The resolution cycle: the objects of a call, and the tasks that calls begin.

extension ReferenceSystem {
    /// Runs a call, and retains the results of its asynchronous factories until it ends.
    func holding<Result>(_ body: () throws -> Result) rethrows -> Result {
        let outer = awaited
        awaited = []
        defer {
            let old = awaited
            awaited = outer
            withExtendedLifetime(old) {}
        }
        return try body()
    }

    /// Runs a call. The cycle of a task ends with the call that began it.
    func ending<Result>(_ body: () throws -> Result) rethrows -> Result {
        let wasInTask = isInTask
        defer {
            if isInTask, !wasInTask {
                isInTask = false
                endCycle { $0.end == nil }
            }
        }
        return try body()
    }

    /// Runs the creation of an instance in its own task and cycle. Its errors have the path that led to it.
    func inFlight(
        of lifetime: Lifetime, for owner: ReferenceOwner, if isAsync: Bool, _ body: () throws -> Answer
    ) throws -> Answer {
        guard isAsync else { return try body() }
        let way = pathWithoutLastAliases(in: path[...])
        // The pass that has found out what to wait for is over.
        endCycle { $0.end.map { $0 >= way.endIndex } ?? false }
        let (outer, led) = ((flight, call, cycle), way[flight...].map(\.registration.step))
        (flight, call, cycle, isInTask) = (path.count, path.count, [], true)
        owner.flights += 1
        defer {
            owner.flights -= 1
            isInTask = false
            endCycle { $0.end == nil }
            (flight, call, cycle) = outer
            isInTask = true
        }
        do {
            switch try inTask(for: lifetime, { try holding(body) }) {
            case .service(let made):
                awaited.append(made)
                return .service(made)
            case .none(let failure): return .none(failure.led(by: led))
            }
        } catch let failure as Failure {
            throw failure.led(by: led)
        }
    }

    /// Releases the objects that leave the cycle, the youngest first.
    func endCycle(where isOver: (Joined) -> Bool) {
        var old = cycle.filter(isOver)
        cycle.removeAll(where: isOver)
        while !old.isEmpty { old.removeLast() }
    }

    /// Returns the cycle's instance. An unfinished instance of the running call takes precedence over one of its task.
    ///
    /// - Parameter level: how many factories of the service are running. A task hides what they have resolved for themselves.
    func instance(_ identity: ReferenceIdentity, at level: Int = .max) -> Any? {
        let all = cycle.filter { $0.identity == identity && ($0.end != nil || $0.level <= level) && isShared($0) }
        guard let found = all.first(where: { $0.end != nil }) ?? all.first else { return nil }
        narrow(to: found.ranks)
        unfinished = min(unfinished, found.unfinished)
        return found.instance
    }

    func narrow(to other: ClosedRange<Int>) { ranks = both(ranks, other) }

    private func both(_ ranks: ClosedRange<Int>, _ others: ClosedRange<Int>) -> ClosedRange<Int> {
        max(ranks.lowerBound, others.lowerBound)...min(ranks.upperBound, others.upperBound)
    }

    /// Runs the factory of an object that may be shared. The factories around it depend on the contexts that it depends on.
    func sharing<Result>(_ body: () throws -> Result) rethrows -> Result {
        let outer = (ranks, unfinished)
        (ranks, unfinished) = (ReferenceSystem.allRanks, .max)
        defer {
            narrow(to: outer.0)
            unfinished = min(unfinished, outer.1)
        }
        return try body()
    }

    /// Notes that an object has all its properties. What has referred to it depends on the same contexts.
    func finish(_ number: Int) {
        let isTaken = unfinished <= number
        if unfinished == number { unfinished = .max }
        for index in cycle.indices where cycle[index].unfinished == number {
            cycle[index].unfinished = isTaken ? unfinished : .max
            if isTaken { cycle[index].ranks = both(cycle[index].ranks, ranks) }
        }
    }

    private func isShared(_ joined: Joined) -> Bool { joined.ranks.contains(hiddenRank) }

    /// The rank below which contexts are hidden that began before the creation.
    var hiddenRank: Int { hidden.map(\.rank).max() ?? .min }

    /// Stops handing out an instance. It is released with the cycle.
    func forget(_ identity: ReferenceIdentity) { forget { $0.identity == identity && $0.end != nil } }

    private func forget(where isMeant: (Joined) -> Bool) {
        for index in cycle.indices where isMeant(cycle[index]) && isShared(cycle[index]) {
            cycle[index].identity = .cell(ObjectIdentifier(self))
        }
    }

    /// - Returns: the instance of the cycle. An outer instance replaces inner ones. If several tasks have made one, it is the first.
    func join(_ made: Any, _ identity: ReferenceIdentity, at level: Int) -> Any {
        forget(identity)
        if isInTask {
            let isMeant = { (joined: Joined) in joined.identity == identity && joined.end == nil }
            let first = cycle.first { isMeant($0) && isShared($0) && $0.level <= level }
            if let first { return first.instance }
            forget(where: isMeant)
        }
        cycle.append((identity, made, end: isInTask ? nil : flight, level: level, ranks: ranks, unfinished: unfinished))
        return made
    }

    func isObject(_ service: Any) -> Bool { type(of: service) is AnyClass }
}
