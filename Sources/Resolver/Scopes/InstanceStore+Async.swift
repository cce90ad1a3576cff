// The instances of asynchronous factories: each is created once, in a task that belongs to the cell.

extension InstanceStore {
    /// Returns the instance, and waits for its creation if there is none.
    ///
    /// - Returns: nil if a pass has to decide: the registration was replaced, or got another scope, the owner has ended, or the arguments
    ///   have no key.
    nonisolated(nonsending) func instance(
        of registration: AnyResolverRegistration, _ resolver: Resolver, _ args: HeldArguments?,
        ownedBy owner: Unretained<RegistrationOwner>?, askedBy asked: ObjectIdentifier
    ) async throws -> AsyncPass.AwaitedResult? {
        let held = try? PassedArguments.with(args?.value) { args throws in
            HeldLocation(
                try CachedLocation(registration, resolver, args, ownedBy: owner, in: self), of: registration)
        }
        guard let held, !held.location.isClosed else { return nil }
        if let object = held.location.cell.kept(held.location.timer, isUse: true) {
            publish(object, of: registration, keptAt: held.location)
            return .kept(.success(object), for: registration, held.location.key, in: self, askedBy: asked)
        }
        return try await join(at: held, askedBy: asked, resolver, args)
    }

    /// Puts the instance into the call's memory if it exists. An asynchronous call that must wait for it notes pending work and throws.
    ///
    /// - Throws: `.requiresAsync` if a synchronous call finds no instance.
    func instanceAlreadyMade(
        of registration: AnyResolverRegistration, at location: consuming CachedLocation,
        askedBy asked: ObjectIdentifier?, _ call: Call
    ) throws -> Bool {
        let cycle = ResolutionCycle.current
        let cell = location.cell, identity = location.identity(in: cell)
        // The instance was created for this call alone, before the registration had a scope that keeps it. A scope that is asked has created
        // it for itself.
        if cycle.hasFactoryResult(for: registration), !cycle.isAskingScope {
            return try registration.make(call, identity: identity)
        }
        if let object = cell.kept(location.timer, isUse: true) {
            return try handOut(object, of: registration, keptAt: location, into: call.memory)
        }
        let pass = cycle.pass(for: registration)
        // An asynchronous call releases an expired instance when it joins a creation.
        if pass == nil, let timer = location.timer { cycle.withoutPass { cell.emptyIfOver(timer) } }
        // A block that completes the instance may refer back to it.
        if cycle.instance(identity, of: registration, into: call.memory) { return true }
        guard let pass else {
            if let object = try cell.unfinished(for: cycle) {
                return try registration.unpackKept(object, into: call.memory)
            }
            // The instance was released because the registration was replaced, or got another scope. A successor, if any, is there by now.
            if !registration.isCurrent(in: asked) { return try registration.resolveAnew(call) }
            throw ResolutionError.requiresAsync(registration)
        }
        if !pass.mayWait { return try registration.make(call, identity: identity) }
        let held = HeldLocation(location, of: registration), args = HeldArguments(call.args.value)
        throw pass.pendingWork(
            .answer(of: registration, held.location.key, in: self, askedBy: asked) { [resolver = call.resolver] in
                try await self.join(at: held, askedBy: asked, resolver, args)
            })
    }

    /// Waits for the instance. The first task starts its creation.
    ///
    /// - Returns: nil if the registration was replaced, or got another scope, or its resolver got another cache.
    nonisolated(nonsending) private func join(
        at held: HeldLocation, askedBy asked: ObjectIdentifier?,
        _ resolver: Resolver, _ args: HeldArguments?
    ) async throws -> AsyncPass.AwaitedResult? {
        let registration = held.registration
        while true {
            let cell = held.location.cell
            let outcome: Creation.Outcome?
            switch cell.turn(
                of: WaitNode(), subject: .registration(registration), identity: held.location.identity(in: cell),
                task: CreationTask(), timer: held.location.timer,
                isWanted: { held.location.isCurrent(registration, in: asked) })
            {
            case .take(let object):
                outcome = .made(object)
            case .create(let claim):
                // A claim for a creation task has its `creation` from the beginning.
                let creation = claim.creation!
                if let reason = reasonNotToStart(registration, held.location.identity(in: cell), args) {
                    giveUp(claim, in: cell, at: held.location, of: registration, .failed)
                    creation.task?.cancel()
                    throw reason
                }
                outcome = try await cell.wait(for: creation) {
                    start(creation, by: claim, in: cell, at: held, resolver, args)
                }
            case .wait(let creation):
                outcome = try await cell.wait(for: creation, mayMakeApart: held.location.isForAllArguments)
            // The scope that keeps the instance has ended, or the scope that has registered the service for itself.
            case .retired where held.location.isClosed && registration.owner.isScope:
                throw ResolutionError.scopeEnded(.registration(registration))
            case .retired where !held.location.isCurrent(registration, in: asked) || hasEnded:
                return nil
            case .retired where held.location.isClosed:
                throw ResolutionError.scopeEnded(.registration(registration))
            case .retired:
                held.location.remove(cell)
                continue
            case .uncached, .reentered, .unfinished:
                continue
            }
            let object: AnyObject?
            switch outcome {
            case .made(let made): object = made
            case .finished(let finished): object = finished
            case .crashed(let error): throw error
            case .failed, .unkeepable: continue
            case nil:
                guard let frame = TaskFrame.current else { continue }
                object = try await make(
                    registration, resolver, args, identity: held.location.identity(in: cell), in: frame
                ).value
            }
            return .kept(.success(object), for: registration, held.location.key, in: self, askedBy: asked)
        }
    }

    /// Returns why this task does not start a creation: it is cancelled, or a creation of the same instance, which a reset has forgotten,
    /// waits for it.
    private func reasonNotToStart(
        _ registration: AnyResolverRegistration, _ identity: UInt64, _ args: HeldArguments?
    ) -> (any Error)? {
        if Task.isCancelled { return CancellationError() }
        guard args == nil, let frame = TaskFrame.current, let node = frame.cycle.node(creating: identity) else {
            return nil
        }
        let outer = Creation(node: node, subject: .registration(registration), identity: identity, number: 0)
        return WaitGraph.shared.dependencyCycle(closedBy: Wait(for: outer, by: DependencyPath(frame)))
    }

    private func start(
        _ creation: Creation, by claim: InstanceCell.Claim, in cell: InstanceCell, at held: HeldLocation,
        _ resolver: Resolver, _ args: HeldArguments?
    ) {
        list(held.location)
        let scopes = ScopeFrame.forCreation(hidingBelow: rank)
        let caller = TaskFrame.current
        let hooks = releaseHooks(of: held.registration)
        creation.task?.start(isAtOnce: ResolutionCycle.current.canStartTaskAtOnce) {
            do {
                let made = try await ScopeFrame.$current.withValue(scopes.frame) {
                    try await TaskFrame.withCycle(
                        of: creation, hasArguments: args != nil, hidingBelow: self.rank, from: caller,
                        hiding: scopes.hidden
                    ) {
                        try await self.make(
                            held.registration, resolver, args, identity: held.location.identity(in: cell), in: $0)
                    }
                }
                self.complete(creation, by: claim, with: made.value, hooks, in: cell, at: held)
            } catch {
                let scopeEnded = held.isOfEndedScope ? ResolutionError.scopeEnded(creation.subject) : nil
                self.giveUp(
                    claim, in: cell, at: held.location, of: held.registration, .crashed(scopeEnded ?? error))
            }
        }
    }

    nonisolated(nonsending) private func make(
        _ registration: AnyResolverRegistration, _ resolver: Resolver, _ args: HeldArguments?,
        identity: UInt64, in frame: TaskFrame
    ) async throws -> PackedService {
        var results: [AsyncPass.AwaitedResult] = []
        // Without this result, the first pass would only find that the asynchronous factory must run.
        if let factory = registration.plan.settings.asyncFactory {
            let made = try await registration.make(factory, resolver, args, in: frame)
            // A pass would return the same object, because no block completes it.
            if case .success(let object?) = made.result, strength == .strong, registration.plan.isPlain {
                ResolutionCycle.current.report(.made, registration)
                return PackedService(value: object)
            }
            results = [made]
        }
        return try await frame.enter {
            let made = try await awaitingPendingWork(after: results) {
                ResolutionCycle.current.setTarget(registration, insteadOf: nil)
                return try registration.withMemory { memory in
                    let isMade = try PassedArguments.with(args?.value) {
                        try registration.make(Call(resolver, $0, into: memory), identity: identity)
                    }
                    guard isMade else { return nil }
                    return registration.pack(memory, self.strength) ?? registration.pack(memory, .strong)
                }
            }
            return PackedService(value: made)
        }
    }

    /// Keeps the instance if the store can keep it. All waiters get the instance, unless its scope has ended.
    private func complete(
        _ creation: Creation, by claim: InstanceCell.Claim, with object: AnyObject?, _ hooks: ReleaseHooks,
        in cell: InstanceCell, at held: HeldLocation
    ) {
        if held.isOfEndedScope {
            // The factory may have missed the services of the scope.
            giveUp(
                claim, in: cell, at: held.location, of: held.registration,
                .crashed(ResolutionError.scopeEnded(creation.subject)))
            if let object { hooks.run(object, .released) }
            return
        }
        // Values cannot be kept weakly.
        guard let object, strength == .strong || !(object is AnyInstanceBox) else {
            giveUp(claim, in: cell, at: held.location, of: held.registration, .finished(object))
            if object != nil { ScopeContext.shared.reportSharedValue(held.registration) }
            return
        }
        if finish(claim, with: object, of: held.registration, hooks, in: cell, at: held.location) {
            ResolutionCycle.current.report(.kept, held.registration)
        } else if creation.isAbandoned {
            // No caller got the instance.
            hooks.run(object, .released)
        }
    }
}
