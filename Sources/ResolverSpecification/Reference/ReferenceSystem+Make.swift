// Making: the factory, and the dependency path.

extension ReferenceSystem {
    /// Runs the factory and the completions.
    func make(
        _ found: ReferenceRegistration, in asked: ReferenceContainer, _ argument: Argument?,
        _ identity: ReferenceIdentity
    ) throws -> Answer {
        if argument == nil,
            let first = path[flight...].lastIndex(where: { $0.registration === found && !$0.hasArgument })
        {
            throw ring(from: first, closedBy: found)
        }
        if found.isAsync, !isAsyncCall { throw requiresAsync(found) }
        // The settings from the start of the creation: changes affect the next instance. The result of an asynchronous
        // factory is completed as its registration then says.
        var (completions, lifetime) = (found.completions, found.lifetime)
        return try onPath(found, hasArgument: argument != nil) {
            var unfinished: (number: Int, instance: AnyObject)?, isComplete = false
            defer {
                if let unfinished {
                    // Only its lifetime holds it from here on.
                    if isComplete, lifetime != .graph {
                        let instance = unfinished.instance
                        endCycle { $0.unfinished == unfinished.number && $0.instance as AnyObject === instance }
                    }
                    finish(unfinished.number)
                }
            }
            do {
                guard let made = try runFactory(found, asked, argument) else {
                    return .none(Failure("factoryReturnedNil", steps))
                }
                if found.isAsync { (completions, lifetime) = (found.completions, found.lifetime) }
                if completions.isEmpty { return .service(made) }
                // It joins the cycle before it is complete, so that its dependencies may refer back to it. A unique service
                // does not.
                if lifetime != .unique, isObject(made) {
                    let number = next()
                    unfinished = (number, made as AnyObject)
                    forget(identity)
                    cycle.append(
                        (identity, made, end: call, level: 0, ranks: ReferenceSystem.allRanks, unfinished: number))
                }
                for complete in completions { try naming { try complete(asked, made, argument) } }
                isComplete = true
                return .service(made)
            } catch {
                if unfinished != nil { forget(identity) }
                throw error
            }
        }
    }

    /// Runs the factory of the last registration on the path. An asynchronous factory runs in a task, in which aliases are no
    /// steps.
    func runFactory(
        _ found: ReferenceRegistration, _ asked: ReferenceContainer, _ argument: Argument?
    ) throws -> Any? {
        let outer = (path, call)
        if found.isAsync {
            path = Array(pathWithoutLastAliases(in: path.dropLast())) + [path[path.count - 1]]
            (call, isInTask) = (path.count, true)
        }
        defer { (path, call) = outer }
        let (lifetime, ranks, unfinished) = (found.lifetime, ranks, unfinished)
        let made = try naming { try found.factory(asked, argument) }
        guard found.isAsync else { return made }
        // The call that has waited does not know what the factory depends on.
        (self.ranks, self.unfinished) = (ranks, unfinished)
        awaited.append(made as Any)
        // If its lifetime keeps it now, its cell is searched first.
        if [.unique, .graph].contains(lifetime), (Lifetime.strong + [.shared]).contains(found.lifetime) {
            _ = branch(of: found, argument)
        }
        return made
    }

    func pathWithoutLastAliases(in path: ArraySlice<Step>) -> ArraySlice<Step> {
        let end = path[flight...].lastIndex { $0.registration.source == nil }.map { $0 + 1 } ?? flight
        return path[..<end]
    }

    /// Adds the path to errors of user code.
    func naming<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let failure as Failure {
            throw failure
        } catch {
            var failure = Failure("factoryFailed", steps)
            failure.underlying = error
            throw failure
        }
    }

    /// Runs user code for a registration. The outermost end releases the objects of the cycle, the youngest first.
    func onPath<Result>(
        _ registration: ReferenceRegistration, hasArgument: Bool, _ body: () throws -> Result
    ) rethrows -> Result {
        path.append((registration, hasArgument))
        defer {
            path.removeLast()
            endCycle { [path] in $0.end.map { $0 >= path.count } ?? false }
        }
        return try body()
    }

    func requiresAsync(_ found: ReferenceRegistration) -> Failure { Failure("requiresAsync", steps + [found.step]) }

    /// Returns the error of a dependency cycle. Where asynchronous creations wait for each other, it begins with the last
    /// one.
    func ring(from first: Int?, closedBy found: ReferenceRegistration) -> Failure {
        let whole = found.isAsync && isAsyncCall ? pathWithoutLastAliases(in: path[...]) : path[...]
        guard let first else { return Failure("circularDependency", [found.step, found.step]) }
        // The aliases through which the innermost asynchronous creation began are no steps.
        let before =
            first < flight ? whole[first..<flight].reversed().drop { $0.registration.source != nil }.reversed() : []
        let steps = (whole[max(first, flight)...] + before).map(\.registration.step)
        return Failure("circularDependency", steps + steps.prefix(1))
    }
}
