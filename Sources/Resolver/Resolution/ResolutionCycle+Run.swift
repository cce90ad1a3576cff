extension ResolutionCycle {
    /// Runs a factory that is isolated to an actor, or that has properties to resolve afterwards. These find the instance
    /// by its identity.
    func makeWithCompletions(
        _ plan: RegistrationPlan, of registration: AnyResolverRegistration, _ resolver: Resolver,
        _ args: PassedArguments, identity: UInt64, into memory: ServiceMemory
    ) throws -> Bool {
        let settings = plan.settings
        // Before its actors, which only what is done afterwards belongs to.
        try prepare(settings, registration, resolver, args)
        for actor in settings.isolations { try require(actor, for: registration) }
        if let refusal = enter(registration, hasArguments: !args.isNone) { throw refusal }
        guard try makeAndComplete(plan, settings, registration, resolver, args, identity, memory) else { return false }
        tell(.made, registration)
        return true
    }

    /// Inside the factory's step, which it leaves.
    private func makeAndComplete(
        _ plan: RegistrationPlan, _ settings: RegistrationSettings, _ registration: AnyResolverRegistration,
        _ resolver: Resolver, _ args: PassedArguments, _ identity: UInt64, _ memory: ServiceMemory
    ) throws -> Bool {
        defer { leave() }
        var hasJoined = false
        do {
            guard try plan.factory(resolver, args, memory) else { return try madeNothing(registration) }
            dropPendingErrors()
            // Before its properties are resolved the instance joins the cycle, so that these may refer back to it.
            // No part can refer back to a unique service.
            if !plan.lifetime.isTransient, registration.isObject(memory) {
                forget(identity)
                keep(memory, of: registration, identity: identity)
                hasJoined = true
            }
            for complete in settings.completions { try complete(resolver, args, memory) }
            dropPendingErrors()
            return true
        } catch {
            // What was there before is another call's, which was made with other arguments.
            if hasJoined { forget(identity) }
            registration.empty(memory)
            throw failure(of: registration, error)
        }
    }

    private func prepare(
        _ settings: RegistrationSettings, _ registration: AnyResolverRegistration, _ resolver: Resolver,
        _ args: PassedArguments
    ) throws {
        guard let factory = settings.asyncFactory else { return }
        // What completes an instance may ask for another one, which this call does not wait for.
        if pass(for: registration) == nil {
            throw refusal(of: registration, hasArguments: !args.isNone, isEntered: false)
        }
        try requireMade(by: factory, for: registration, resolver, args)
    }

    /// The factory came back without a service: because there is none, or because of an error that could not be thrown.
    @inline(never)
    func madeNothing(_ registration: AnyResolverRegistration) throws -> Bool {
        do { try throwPendingError() } catch { throw failure(of: registration, error) }
        return nothing(of: registration)
    }

    /// What user code threw, with the path that led there; an error of ours has its path already.
    @inline(never)
    func failure(of registration: AnyResolverRegistration, _ error: any Error) -> ResolutionError {
        dropPendingErrors()
        return (error as? ResolutionError) ?? .factoryFailed(registration, path(), error)
    }

    @inline(never)
    private func require(_ actor: any Actor, for registration: AnyResolverRegistration) throws {
        guard Isolation.isCurrent(actor, in: self) else {
            // The error is for those who cannot be on all the actors that are asked for.
            _ = pass(for: registration)?.pendingWork(.actor(actor))
            throw ResolutionError.wrongIsolation(registration, path(), actor: actor)
        }
    }
}
