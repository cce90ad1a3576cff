// Finding and keeping.

extension ReferenceSystem {
    enum Answer {
        case service(Any)
        case none(Failure)
    }

    /// - Throws: `Failure` where `optional` would trap.
    func resolve(
        _ key: ReferenceRegistration.Key, in asked: ReferenceContainer, _ argument: Argument?, isAsync: Bool
    ) throws -> Answer {
        let outer = isAsyncCall
        isAsyncCall = isAsync
        defer { isAsyncCall = outer }
        guard let found = asked.find(key) else {
            return .none(Failure("notRegistered", steps + [hiddenLocal(key)?.step ?? key.description]))
        }
        return try ending {
            try holding {
                let answer = try obtain(found, in: asked, argument)
                if case .service(let service) = answer { decorator?(service) }
                return answer
            }
        }
    }

    var steps: [String] { path[flight...].map(\.registration.step) }

    /// Returns the kept service, or a new one.
    private func obtain(
        _ found: ReferenceRegistration, in asked: ReferenceContainer, _ argument: Argument?
    ) throws -> Answer {
        if found.source != nil { return try obtain(behind: found, in: asked, argument) }
        let owner = self.owner(of: found, in: asked)
        let identity = identity(of: found, in: owner)
        switch found.lifetime {
        case .unique:
            return try make(found, in: asked, argument, identity)
        case .graph:
            let level = path.count { $0.registration === found }
            if let kept = instance(identity, at: level) { return .service(kept) }
            return try sharing {
                let answer = try make(found, in: asked, argument, identity)
                guard case .service(let made) = answer, path.count > flight || isInTask, isObject(made) else {
                    return answer
                }
                return .service(join(made, identity, at: level))
            }
        case .context(let kind, let isRequired):
            return try keep(found, in: kind, isRequired, insteadOf: nil, asked, argument)
        case .shared, .cached, .container, .application, .custom:
            return try keep(found, in: owner, asked, argument, identity)
        }
    }

    /// Returns the instance of the current context, or one that is not kept.
    ///
    /// - Parameter ended: a context in which the call has found nothing.
    private func keep(
        _ found: ReferenceRegistration, in kind: ContextKind, _ isRequired: Bool, insteadOf ended: ReferenceOwner?,
        _ asked: ReferenceContainer, _ argument: Argument?
    ) throws -> Answer {
        if let owner = unhidden(kind)?.owner, owner !== ended, found.belongs(to: owner, of: kind) {
            return try keep(found, in: owner, asked, argument, identity(of: found, in: owner))
        }
        if isRequired { return .none(Failure("scopeDeclined", steps + [found.step])) }
        return try make(found, in: asked, argument, identity(of: found, in: self.owner(of: found, in: asked)))
    }

    /// Returns the owner that keeps the instances of a registration for calls to a container.
    private func owner(of found: ReferenceRegistration, in asked: ReferenceContainer) -> ReferenceOwner {
        asked.searchOrder().first { $0.container.owner === found.home }?.isolating?.owner ?? found.home ?? asked.owner
    }

    private func identity(of found: ReferenceRegistration, in owner: ReferenceOwner) -> ReferenceIdentity {
        .registration(ObjectIdentifier(found), owner: owner.keepsAll ? ObjectIdentifier(owner) : nil)
    }

    private func cell(of found: ReferenceRegistration, in owner: ReferenceOwner) -> ReferenceCell {
        found.isUsed = found.isUsed || !owner.keepsAll
        return found.lifetime == .application && !owner.keepsAll
            ? singleton(found.definition) : owner.cell(for: found, found.lifetime)
    }

    /// Returns the argument if an instance is kept for each. Hashes it, which runs user code.
    func branch(of found: ReferenceRegistration, _ argument: Argument?) -> Argument? {
        guard found.keepsForEachArgument, let argument else { return nil }
        onPath(found, hasArgument: true) { _ = argument.hashValue }
        return argument
    }

    /// Returns the kept instance, or makes and keeps one.
    private func keep(
        _ found: ReferenceRegistration, in owner: ReferenceOwner, _ asked: ReferenceContainer, _ argument: Argument?,
        _ identity: ReferenceIdentity
    ) throws -> Answer {
        let lifetime = found.lifetime
        let branch = branch(of: found, argument)
        // An ended context keeps nothing, which a call knows only after it has hashed the argument.
        if owner.isClosed, case .context(let kind, let isRequired) = lifetime {
            if found.isGone || found.lifetime != lifetime { return try obtainAnew(found, in: asked, argument) }
            if branch == nil, let unfinished = instance(identity) { return .service(unfinished) }
            return try keep(found, in: kind, isRequired, insteadOf: owner, asked, argument)
        }
        let time = found.timeToLive
        let seat = cell(of: found, in: owner)
        var cell = branch.map(seat.branch) ?? seat
        let unkept = self.identity(of: found, in: asked.owner)
        let canMake = isAsyncCall || !found.isAsync
        while true {
            if let kept = cell.instance, !cell.isOver(time, at: now) {
                cell.use(time, at: now)
                return .service(kept)
            }
            if cell.instance == nil { break }
            let whole = path
            if found.isAsync, canMake { (path, isInTask) = (Array(pathWithoutLastAliases(in: path[...])), true) }
            cell.empty()
            path = whole
            // A reset removes branches.
            cell = branch.map(seat.branch) ?? seat
        }
        let identity = branch == nil ? identity : .cell(ObjectIdentifier(cell))
        let isInMaking = cell.creation != nil
        let isOnPath = path.contains { $0.registration.definition == found.definition }
        if !canMake, !isInMaking || !isOnPath {
            if let unfinished = instance(identity) { return .service(unfinished) }
            if found.isGone || found.lifetime != lifetime { return try obtainAnew(found, in: asked, argument) }
            throw requiresAsync(found)
        }
        if isInMaking || path.contains(where: { $0.registration === found }) && instance(identity) != nil {
            // A completion refers back to the instance.
            if let unfinished = instance(identity) { return .service(unfinished) }
            // As in a tree: the outermost instance is kept.
            if argument != nil, branch == nil, canMake { return try make(found, in: asked, argument, unkept) }
            let hasArgument = argument != nil
            let isOwn =
                path[flight...].first.map { $0.registration === found && $0.hasArgument == hasArgument } ?? false
            let differs = found.isAsync && found.keepsForEachArgument && !isOwn
            let isMeant = { (step: Step) in
                step.registration === found && (!differs || step.hasArgument == hasArgument)
            }
            // A creation of another service waits for that of this one, which is further out.
            let isInOther = found.isAsync && path[flight...].first?.registration !== found
            let outer = isInOther ? path[..<flight].lastIndex(where: isMeant) : nil
            throw ring(from: outer ?? path.lastIndex(where: isMeant), closedBy: found)
        }
        if found.isGone || found.lifetime != lifetime { return try obtainAnew(found, in: asked, argument) }
        if cell.isRetired, found.isAsync, owner.isClosed { throw Failure("scopeEnded", [found.step]) }
        if cell.isRetired { return try make(found, in: asked, argument, unkept) }

        if found.isAsync, argument == nil {
            if creating.contains(identity) {
                throw ring(from: path.lastIndex { $0.registration === found && !$0.hasArgument }, closedBy: found)
            }
            creating.append(identity)
        }
        // A hook of an expired instance may have added others.
        let (creation, hooks) = (next(), found.hooks)
        cell.begin(creation)
        defer {
            cell.end(creation)
            if found.isAsync, argument == nil { creating.removeLast() }
        }
        forget(identity)
        let answer = try hidingContexts(for: lifetime) {
            try inFlight(of: lifetime, for: owner, if: found.isAsync) { try make(found, in: asked, argument, identity) }
        }
        if case .service(let made) = answer, lifetime != .shared || isObject(made) {
            cell.end(
                creation, with: made, isWeak: lifetime == .shared, order: next(),
                hooks: lifetime == .shared ? [] : hooks, since: time.map { _ in now })
        }
        return answer
    }

    /// Returns the service of an alias's source, as the alias's type.
    private func obtain(
        behind alias: ReferenceRegistration, in asked: ReferenceContainer, _ argument: Argument?
    ) throws -> Answer {
        try onPath(alias, hasArgument: argument != nil) {
            let isNothingFound: Bool
            if let found = try service(behind: alias, in: asked) {
                switch try obtain(found, in: asked, argument) {
                case .service(let service):
                    decorator?(service)
                    let face = alias.face?(service)
                    return face.map(Answer.service) ?? .none(Failure("factoryReturnedNil", steps))
                case .none(let failure): isNothingFound = failure.code == "notRegistered"
                }
            } else {
                isNothingFound = true
            }
            if alias.isGone, isNothingFound { return try obtainAnew(alias, in: asked, argument) }
            return .none(Failure("factoryReturnedNil", steps))
        }
    }

    /// Looks the service up again, because its registration was removed or has another lifetime.
    private func obtainAnew(
        _ old: ReferenceRegistration, in asked: ReferenceContainer, _ argument: Argument?
    ) throws -> Answer {
        // The path includes the alias itself.
        let around = old.source == nil ? steps[...] : steps.dropLast()
        guard let found = asked.find(old.key) else {
            return .none(Failure("notRegistered", around + [hiddenLocal(old.key)?.step ?? old.key.description]))
        }
        let answer = try obtain(found, in: asked, argument)
        // A call that has waited continues with its result.
        guard case .none(let failure) = answer, awaited.isEmpty else { return answer }
        let isMissing = failure.code == "notRegistered"
        return .none(Failure(failure.code, around + (isMissing ? [old.key.description] : failure.path.suffix(1))))
    }

    /// Returns the source of an alias, which may be another alias that leads to a service.
    private func service(
        behind alias: ReferenceRegistration, in asked: ReferenceContainer
    ) throws -> ReferenceRegistration? {
        let first = alias.source.flatMap(asked.find)
        var row = [alias]
        var next = first
        while let found = next, let source = found.source {
            row.append(found)
            if let known = row.firstIndex(where: { $0 === found }), known < row.count - 1 {
                throw Failure("circularDependency", row[known...].map(\.step))
            }
            next = asked.find(source)
        }
        return first
    }

    /// Returns the kept instance, without making or using one.
    func existing(_ key: ReferenceRegistration.Key, in asked: ReferenceContainer) -> Any? {
        guard let found = asked.find(key) else { return nil }
        if let source = found.source {
            guard (try? service(behind: found, in: asked)) != nil, let service = existing(source, in: asked) else {
                return nil
            }
            return found.face?(service)
        }
        let owner: ReferenceOwner
        switch found.lifetime {
        case .unique: return nil
        case .graph: return instance(identity(of: found, in: self.owner(of: found, in: asked)))
        case .context(let kind, _):
            guard let context = visible(kind) else { return nil }
            owner = context.owner
        case .shared, .cached, .container, .application, .custom:
            owner = self.owner(of: found, in: asked)
        }
        let cell = cell(of: found, in: owner)
        return cell.isOver(found.timeToLive, at: now) ? nil : cell.instance
    }
}
