extension ResolutionCycle {
    /// Runs a factory that is isolated to an actor or has completions, which find the instance by its identity.
    @inline(never)
    func makeWithCompletions(
        _ plan: RegistrationPlan, of registration: AnyResolverRegistration, _ call: Call, identity: UInt64
    ) throws -> Bool {
        let settings = plan.settings
        // Before the actor check, because only the completions are isolated to these actors, not the asynchronous factory.
        try prepare(settings, registration, call)
        try requireActors(settings, for: registration)
        if let error = enter(registration, hasArguments: !call.args.isNone) { throw error }
        guard try makeAndComplete(plan, settings, registration, call, identity) else { return false }
        report(.made, registration)
        return true
    }

    /// Runs the factory and the completions inside the step that was entered, and leaves it.
    private func makeAndComplete(
        _ plan: RegistrationPlan, _ settings: RegistrationSettings, _ registration: AnyResolverRegistration,
        _ call: Call, _ identity: UInt64
    ) throws -> Bool {
        defer { leave() }
        var unfinished: (number: UInt64, index: Int)?, isMade = false, isComplete = false
        defer {
            if let unfinished {
                // The instance may be released before the outermost call returns, and must not be found then.
                forget(identity)
                finish(unfinished.number, at: unfinished.index)
                // The caller's memory holds the instance too.
                if isComplete, registration.keepingLifetime(plan).isInCells {
                    state.pointee.graph.take(at: unfinished.index)?.release()
                }
            }
        }
        do {
            let factory = plan.factory ?? registration.factory
            guard try factory(call) else { return try madeNothing(registration) }
            dropPendingErrors()
            isMade = true
            // The instance joins the cycle while the completions run, so its dependencies may refer back to it. A unique
            // service is not shared, so no dependency can refer back to it.
            if !settings.completions.isEmpty, !plan.lifetime.isTransient, registration.isObject(call.memory) {
                forget(identity)
                let number = ProcessIdentity.next()
                unfinished = (number, instanceCount)
                keep(call.memory, of: registration, identity: identity, for: SharingRange(unfinished: number))
            }
            for complete in settings.completions { try complete(call) }
            isComplete = true
            dropPendingErrors()
            return true
        } catch {
            registration.empty(call.memory)
            throw failure(of: registration, error, isMade: isMade)
        }
    }

    private func prepare(
        _ settings: RegistrationSettings, _ registration: AnyResolverRegistration, _ call: Call
    ) throws {
        guard let factory = settings.asyncFactory else { return }
        // A completion may ask for another instance, which this call does not wait for.
        if pass(for: registration) == nil {
            throw errorWithoutPass(of: registration, hasArguments: !call.args.isNone, isEntered: false)
        }
        _ = try factoryResult(of: factory, for: registration, call.resolver, call.args, isHandedOut: false)
    }

    /// Handles a factory that returned no service: throws a pending error, or notes the nil.
    @inline(never)
    func madeNothing(_ registration: AnyResolverRegistration) throws -> Bool {
        do { try throwPendingError() } catch { throw failure(of: registration, error) }
        return nothing(of: registration)
    }

    /// Returns the error of the factory, or of a completion if `isMade`, with its path. A `ResolutionError` already has a path.
    @inline(never)
    func failure(
        of registration: AnyResolverRegistration, _ error: any Error, isMade: Bool = false
    ) -> ResolutionError {
        dropPendingErrors()
        return (error as? ResolutionError) ?? .factoryFailed(registration, error, isMade: isMade)
    }

    /// - Throws: `.wrongIsolation` if the code that runs now is not on each actor of the settings.
    @inline(never)
    func requireActors(_ settings: RegistrationSettings, for registration: AnyResolverRegistration) throws {
        for actor in settings.isolations where !Isolation.isCurrent(actor, in: self) {
            // A call that has tried the actor cannot be on all the required actors, and gets this error.
            if let pass = pass(for: registration), !pass.progress.actors.contains(where: { $0 === actor }) {
                _ = pass.pendingWork(.actor(actor))
            }
            throw ResolutionError.wrongIsolation(registration, actor: actor)
        }
    }
}

// The results of a call without a service: a pending error, or nil.

extension ResolutionCycle {
    // MARK: Errors that pass through functions that cannot throw

    /// An error on its way to the engine, with the depths of factories and scopes at which it was caught.
    struct PendingError {
        let error: any Error
        let depth: Int
        let asking: Int
    }

    /// Calls `body`, and holds its error while nil is returned instead.
    ///
    /// Factory wrappers and scopes of 1.5.1 cannot throw. The engine takes the error out again when it gets nil back.
    func holdingErrors<Service>(_ body: () throws -> Service?) -> Service? {
        do {
            return try body()
        } catch {
            let (depth, asking) = (state.pointee.depth, state.pointee.asking)
            if depth > 0 || asking > 0 {
                state.pointee.pendingErrors.append(PendingError(error: error, depth: depth, asking: asking))
                state.pointee.hasPendingErrors = true
            }
            return nil
        }
    }

    /// Drops the errors that a wrapper has handled by returning a result.
    @inline(__always)
    func dropPendingErrors() { if state.pointee.hasPendingErrors { takePendingError() } }

    /// Drops the errors that were held after there were `count`.
    func dropPendingErrors(downTo count: Int) {
        guard state.pointee.pendingErrors.count > count else { return }
        state.pointee.pendingErrors.removeLast(state.pointee.pendingErrors.count - count)
        state.pointee.hasPendingErrors = count > 0
    }

    /// Throws the error that was held inside the factory or scope that has just returned nil, if any.
    func throwPendingError() throws {
        if state.pointee.hasPendingErrors, let error = takePendingError() { throw error }
    }

    /// Takes out the errors held inside the innermost factory or scope, and returns the last. Outer ones belong to other
    /// calls.
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

    /// Keeps the error of a call until `throwFailure`, which the call reaches next.
    @inline(never)
    func setFailure(_ error: any Error) { state.pointee.failure = error }

    @inline(never)
    func throwFailure() throws { if let failure = state.pointee.failure.take() { throw failure } }

    // MARK: Scopes that are asked

    /// A request of a scope for the instance of a registration.
    struct Asked {
        fileprivate var number: UInt64 = 0
        fileprivate var scope: ObjectIdentifier?
        /// The reason why the factory, or the registration's successor, has returned nil. It contains nil if no registration was
        /// found.
        fileprivate var result: NilResult??
        /// The number of times that the call has started over.
        fileprivate var startCount: UInt8 = 0
        /// The number of registrations on the path when the scope was asked.
        fileprivate var depth = 0

        /// Whether the scope that is asked may pass its request for `registration` on. A factory in between begins another
        /// request.
        fileprivate func isHandedOn(_ registration: UInt64, _ depth: Int) -> Bool {
            number == registration && self.depth == depth
        }
    }

    /// Calls `body`, which asks `scope` for the instance of a registration, and returns whether there is one.
    ///
    /// - Throws: `ResolutionError`: that of `body`, or the pending one if the scope returned nil because of it; `.scopeFailed` for others.
    func asking(
        _ scope: ObjectIdentifier, for registration: AnyResolverRegistration, _ body: () throws -> Bool
    ) throws -> Bool {
        // A scope may pass the registration on to another scope. The outermost is the registration's own.
        let isHandedOn = state.pointee.asked.isHandedOn(registration.number, state.pointee.depth)
        var asked = Asked(
            number: registration.number, scope: isHandedOn ? state.pointee.asked.scope : scope,
            startCount: state.pointee.asked.startCount, depth: state.pointee.depth)
        // Exchanged, because the reference is slow to copy.
        swap(&state.pointee.asked, &asked)
        state.pointee.asking += 1
        defer {
            dropPendingErrors()
            state.pointee.asking -= 1
            swap(&state.pointee.asked, &asked)
            // A scope may ask for its registration again, and another scope for the instance.
            if let result = asked.result, state.pointee.asked.isHandedOn(asked.number, asked.depth) {
                state.pointee.asked.result = result
            }
        }
        do {
            // A scope may ask for its own registration, or scopes each other, and never reach a factory, which would check the stack.
            try requireStack(for: registration)
            if try body() { return true }
            try throwPendingError()
        } catch {
            throw ResolutionError.ofScope(registration, error)
        }
        declined(registration)
        return false
    }

    /// Whether a scope is being asked for an instance.
    var isAskingScope: Bool { state.pointee.asking > 0 }

    /// Calls `body`, in which a scope resolves a registration, as `asking(_:for:_:)` does, and returns the service.
    func asking<Service>(
        _ scope: any ResolverScopeType, for registration: AnyResolverRegistration, _ body: () -> Service?
    ) throws -> Service? {
        var service: Service?
        _ = try asking(ObjectIdentifier(scope), for: registration) {
            service = body()
            return service != nil
        }
        return service
    }

    /// Whether a call may start over once more.
    ///
    /// Other threads could replace each registration faster than the call uses it, and each start takes some of the stack.
    var mayStartOver: Bool { state.pointee.asked.startCount < 16 }

    /// Calls `body`, which asks the scope of the registration that replaced this one.
    func startingOver<Result>(_ body: () throws -> Result) rethrows -> Result {
        let outer = state.pointee.asked
        state.pointee.asked = Asked(startCount: outer.startCount + 1)
        defer { state.pointee.asked = outer }
        return try body()
    }

    /// Returns the scope that is asked for the instance of `registration`, if any.
    func scopeAsked(for registration: AnyResolverRegistration) -> ObjectIdentifier? {
        state.pointee.asked.number == registration.number ? state.pointee.asked.scope : nil
    }

    /// Notes the nil result of the registration that has replaced `registration`.
    func noteNil(ofSuccessorOf registration: AnyResolverRegistration) {
        if state.pointee.asked.number == registration.number {
            state.pointee.asked.result = .some(state.pointee.lastNilResult)
        }
    }

    // MARK: Nil

    /// Notes that the factory of `registration` has returned nil.
    ///
    /// - Returns: false, because there is no service.
    func nothing(of registration: AnyResolverRegistration) -> Bool {
        noteNil(of: registration, isFromFactory: true)
        return false
    }

    /// Notes that the scope of `registration` has returned nil.
    func declined(_ registration: AnyResolverRegistration) {
        let asked = state.pointee.asked
        if asked.number == registration.number, let result = asked.result {
            state.pointee.lastNilResult = result
        } else {
            noteNil(of: registration, isFromFactory: false)
        }
    }

    private func noteNil(of registration: AnyResolverRegistration, isFromFactory: Bool) {
        let result = NilResult(of: registration, isFromFactory: isFromFactory)
        state.pointee.lastNilResult = result
        if isFromFactory, state.pointee.asked.number == registration.number, state.pointee.asked.result == nil {
            state.pointee.asked.result = .some(result)
        }
    }

    /// Notes that no registration was found.
    func noteNothingFound() { state.pointee.lastNilResult = nil }

    /// Whether the last call returned nil because there is no registration.
    var hasFoundNothing: Bool { state.pointee.lastNilResult == nil }

    /// Returns why the call for a service returned nil; nil if no registration was found.
    func takeNilResult(_ key: ServiceKey) -> NilResult? {
        guard let result = state.pointee.lastNilResult.take(), result.key == key else { return nil }
        return result
    }
}
