// Make: the factory, and the path of what is being made.

extension ReferenceSystem {
    /// Runs the factory, and what completes the instance.
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
        // As they are when it begins: what is changed meanwhile is for the next instance. What is made asynchronously is
        // completed as it is registered by then.
        var (completions, isUnique) = (found.completions, found.lifetime == .unique)
        return try onPath(found, hasArgument: argument != nil) {
            var hasJoined = false
            do {
                guard let made = try runFactory(found, asked, argument) else {
                    return .none(Failure("factoryReturnedNil", steps))
                }
                if found.isAsync { (completions, isUnique) = (found.completions, found.lifetime == .unique) }
                if completions.isEmpty { return .service(made) }
                // Before it is complete it is part of the cycle, so that its parts may refer back to it; not so what is unique.
                if !isUnique, isObject(made) {
                    hasJoined = true
                    forget(identity)
                    cycle.append((identity, made, end: call))
                }
                for complete in completions { try naming { try complete(asked, made, argument) } }
                return .service(made)
            } catch {
                if hasJoined { forget(identity) }
                throw error
            }
        }
    }

    /// Runs the factory of the last registration of the path. An asynchronous one runs in a task, and aliases are no steps there.
    func runFactory(
        _ found: ReferenceRegistration, _ asked: ReferenceContainer, _ argument: Argument?
    ) throws -> Any? {
        let outer = (path, call)
        if found.isAsync {
            path = Array(pathWithoutLastAliases(in: path.dropLast())) + [path[path.count - 1]]
            (call, isInTask) = (path.count, true)
        }
        defer { (path, call) = outer }
        let lifetime = found.lifetime
        let made = try naming { try found.factory(asked, argument) }
        guard found.isAsync else { return made }
        awaited.append(made as Any)
        // If it is to be kept by now, it is looked for there first.
        if [.unique, .graph].contains(lifetime), (Lifetime.strong + [.shared]).contains(found.lifetime) {
            _ = branch(of: found, argument)
        }
        return made
    }

    func pathWithoutLastAliases(in path: ArraySlice<Step>) -> ArraySlice<Step> {
        let end = path[flight...].lastIndex { $0.registration.source == nil }.map { $0 + 1 } ?? flight
        return path[..<end]
    }

    /// Names the path where code of the user fails.
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

    /// Runs code of the user for a registration. When the outermost ends, the objects of the cycle go, the youngest first.
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

    func requiresAsync(_ found: ReferenceRegistration) -> Failure {
        Failure("requiresAsync", steps + [found.step])
    }

    /// The error that closes a circle. Where flights wait for each other it begins with the last of them.
    func ring(from first: Int?, closedBy found: ReferenceRegistration) -> Failure {
        let whole = found.isAsync && isAsyncCall ? pathWithoutLastAliases(in: path[...]) : path[...]
        guard let first else { return Failure("circularDependency", [found.step, found.step]) }
        // The aliases through which the innermost flight was begun are no steps.
        let before =
            first < flight ? whole[first..<flight].reversed().drop { $0.registration.source != nil }.reversed() : []
        let steps = (whole[max(first, flight)...] + before).map(\.registration.step)
        return Failure("circularDependency", steps + steps.prefix(1))
    }
}
