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

// What a call has to show for itself when it comes back without a service: an error that could not be thrown, or nil.

/// Why a call came back with nil, as a copy of what its error needs: the registration may be gone when a door explains it.
struct NilResult {
    let key: ServiceKey
    /// The type of the factory.
    let service: ObjectIdentifier
    let serviceType: Any.Type
    let location: SourceLocation
    let isAlias: Bool
    /// The kind of scope without which nothing is made, if there is one.
    let requiredScope: ScopeKind?
    /// Whether the factory ran and returned nil. Otherwise the scope returned nil without it.
    let isFromFactory: Bool

    var hop: ResolutionError.Hop {
        ResolutionError.Hop(service: TypeName.qualified(serviceType), name: key.name?.rawValue, location: location)
    }
}

extension ResolutionCycle {
    // MARK: Errors on their way through functions that cannot throw

    /// An error that waits for the engine, and how deep in factories and scopes it was caught.
    struct PendingError {
        let error: any Error
        let depth: Int
        let asking: Int
    }

    /// 1.5.1's factory wrappers and scopes do not throw. An error that meets one waits here, nil is returned in its
    /// stead, and the engine, when it gets nil back, takes the error out again.
    func holdingErrors<Service>(_ body: () throws -> Service?) -> Service? {
        do {
            return try body()
        } catch {
            let (depth, asking) = (state.pointee.depth, state.pointee.asking)
            if depth > 0 || asking > 0 { hold(PendingError(error: error, depth: depth, asking: asking)) }
            return nil
        }
    }

    private func hold(_ error: PendingError) {
        state.pointee.pendingErrors.append(error)
        state.pointee.hasPendingErrors = true
    }

    /// A wrapper that found a result although it got nil has dealt with the error.
    @inline(__always)
    func dropPendingErrors() {
        if state.pointee.hasPendingErrors { takePendingError() }
    }

    /// Drops those that were held after there were `count`.
    func dropPendingErrors(downTo count: Int) {
        guard state.pointee.pendingErrors.count > count else { return }
        state.pointee.pendingErrors.removeLast(state.pointee.pendingErrors.count - count)
        state.pointee.hasPendingErrors = count > 0
    }

    /// Throws the error that was held in the factory or the scope that has just come back with nil, if one was.
    func throwPendingError() throws {
        if state.pointee.hasPendingErrors, let error = takePendingError() { throw error }
    }

    /// Takes out what was held inside of the innermost factory or scope. What was held outside of it belongs to others.
    @inline(never) @discardableResult
    func takePendingError() -> (any Error)? {
        let (depth, asking) = (state.pointee.depth, state.pointee.asking)
        var last: (any Error)?
        while let error = state.pointee.pendingErrors.last, error.depth >= depth, error.asking >= asking {
            last = last ?? error.error
            state.pointee.pendingErrors.removeLast()
        }
        state.pointee.hasPendingErrors = !state.pointee.pendingErrors.isEmpty
        return last
    }

    // MARK: Scopes that are asked

    /// A scope that is being asked for the instance of a registration.
    struct Asked {
        fileprivate var number: UInt64 = 0
        fileprivate var scope: ObjectIdentifier?
        /// Why it will have returned nil, if it does.
        fileprivate var reason = Reason.declined
        /// How often the call has started over.
        fileprivate var startCount: UInt8 = 0

        fileprivate enum Reason {
            case declined
            /// The factory of the registration, or of the one in its place, has returned nil.
            case factoryReturnedNil
            /// The registration was removed, and there is none in its place.
            case gone
        }
    }

    /// Calls `body`, which asks `scope` for the instance of a registration.
    ///
    /// - Throws: also the error for which the scope has returned nil.
    func asking<Service>(
        _ scope: any ResolverScopeType, for registration: AnyResolverRegistration, _ body: () throws -> Service?
    ) throws -> Service? {
        let outer = beginAsking(scope, for: registration)
        defer { endAsking(outer) }
        let service = try body()
        if service == nil { try endWithNil(registration) }
        return service
    }

    /// - Returns: what `endAsking` takes.
    func beginAsking(_ scope: any ResolverScopeType, for registration: AnyResolverRegistration) -> Asked {
        let outer = state.pointee.asked
        // A scope may hand the registration on to another. It is the outermost that the registration has.
        let isHandedOn = outer.number == registration.number
        state.pointee.asked = Asked(
            number: registration.number, scope: isHandedOn ? outer.scope : ObjectIdentifier(scope),
            startCount: outer.startCount)
        state.pointee.asking += 1
        return outer
    }

    /// The scope has returned nil.
    ///
    /// - Throws: the error that was the reason.
    func endWithNil(_ registration: AnyResolverRegistration) throws {
        try throwPendingError()
        declined(registration)
    }

    func endAsking(_ outer: Asked) {
        dropPendingErrors()
        state.pointee.asking -= 1
        let inner = state.pointee.asked
        state.pointee.asked = outer
        // A scope may ask again for the same registration.
        if inner.number == outer.number { state.pointee.asked.reason = inner.reason }
    }

    /// Whether a call may start over once more. Other threads could replace what it finds again and again, faster than it
    /// gets to use it; and each start takes some of the stack.
    var mayStartOver: Bool { state.pointee.asked.startCount < 16 }

    /// Calls `body`, which asks the scope that a registration has now, whatever scope is being asked.
    func startingOver<Result>(_ body: () throws -> Result) rethrows -> Result {
        let outer = state.pointee.asked
        state.pointee.asked = Asked(startCount: outer.startCount + 1)
        defer { state.pointee.asked = outer }
        return try body()
    }

    /// The scope that is being asked for the instance of `registration`, if any is.
    func scopeAsked(for registration: AnyResolverRegistration) -> ObjectIdentifier? {
        state.pointee.asked.number == registration.number ? state.pointee.asked.scope : nil
    }

    /// The call for a registration was handed on to the one that has taken its place, and that has come back with nil.
    func noteNil(ofSuccessorOf registration: AnyResolverRegistration) {
        guard state.pointee.asked.number == registration.number else { return }
        switch state.pointee.lastNilResult?.isFromFactory {
        case true?: state.pointee.asked.reason = .factoryReturnedNil
        case false?: state.pointee.asked.reason = .declined
        case nil: state.pointee.asked.reason = .gone
        }
    }

    // MARK: Nil

    /// nil, which the factory of `registration` has returned.
    ///
    /// - Returns: that there is no service.
    func nothing(of registration: AnyResolverRegistration) -> Bool {
        noteNil(of: registration, isFromFactory: true)
        return false
    }

    /// nil, which the scope of `registration` has returned.
    func declined(_ registration: AnyResolverRegistration) {
        let asked = state.pointee.asked
        let reason = asked.number == registration.number ? asked.reason : .declined
        if reason == .gone { return noteNothingFound() }
        noteNil(of: registration, isFromFactory: reason == .factoryReturnedNil)
    }

    private func noteNil(of registration: AnyResolverRegistration, isFromFactory: Bool) {
        if isFromFactory, state.pointee.asked.number == registration.number, state.pointee.asked.reason == .declined {
            state.pointee.asked.reason = .factoryReturnedNil
        }
        state.pointee.lastNilResult = NilResult(
            key: registration.serviceKey, service: registration.service, serviceType: registration.serviceType,
            location: registration.location, isAlias: registration.isAlias,
            requiredScope: registration.plan.lifetime.context?.kind, isFromFactory: isFromFactory)
    }

    /// Nothing was found.
    func noteNothingFound() {
        state.pointee.lastNilResult = nil
    }

    /// Whether the last call has come back with nil because there is no registration.
    var hasFoundNothing: Bool { state.pointee.lastNilResult == nil }

    /// Why the call for a service has come back with nil; nil if nothing was found.
    func takeNilResult(_ key: ServiceKey, as service: ObjectIdentifier) -> NilResult? {
        guard let result = state.pointee.lastNilResult.take(), result.key == key, result.service == service else {
            return nil
        }
        return result
    }
}
