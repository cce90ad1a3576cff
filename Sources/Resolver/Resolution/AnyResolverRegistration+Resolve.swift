// Takes kept instances or creates them. Each function puts the service into the caller's memory, and returns false for nil.

extension AnyResolverRegistration {
    /// Puts the service into the call's memory, as the current lifetime requires.
    @inline(never)
    final func resolve(_ call: Call) throws -> Bool {
        let owner = call.resolver.isolatingOwner(of: owner)
        return try withPlan { plan in
            if plan.hasScopeOverride {
                return try resolveOverridden(plan, call, ownedBy: owner)
            }
            return try resolve(plan, call, ownedBy: owner)
        }
    }

    /// Puts the service into the call's memory, if no isolating resolver lies between the call's resolver and the registration.
    ///
    /// Inlined for the path of almost all calls: a long chain of calls defeats the processor's return prediction.
    @inline(__always)
    final func resolveUnisolated(_ call: Call) throws -> Bool {
        try withPlan { plan in
            switch plan.shortcut {
            case .plain: return try makePlain(ResolutionCycle.current, call)
            case .plainInCycle:
                return try shareInCycle(plan, call, identity: identity(through: call.resolver))
            case .none: break
            }
            if plan.hasScopeOverride { return try resolveOverridden(plan, call, ownedBy: nil) }
            switch plan.lifetime {
            case .perContext(let context):
                return try context.use { try $0.resolve(self, call) }
            case .alias(let alias):
                return try alias.use { try $0.resolve(self, call) }
            case .transient, .perCycle, .cached, .container, .custom:
                return try resolve(plan, call, ownedBy: nil)
            }
        }
    }

    /// Puts the service into the call's memory, where scopes of contexts have registered it for themselves.
    @inline(never)
    private final func resolveOverridden(
        _ plan: RegistrationPlan, _ call: Call, ownedBy owner: Unretained<RegistrationOwner>?
    ) throws -> Bool {
        if let local = ScopeContext.shared.local(serviceKey) {
            ResolutionCycle.current.setTarget(local, insteadOf: self)
            return try withExtendedLifetime(local) { try local.resolve(call) }
        }
        ScopeContext.shared.reportIfUnseen(serviceKey)
        return try resolve(plan, call, ownedBy: owner)
    }

    @inline(__always)
    private final func resolve(
        _ plan: RegistrationPlan, _ call: Call, ownedBy owner: Unretained<RegistrationOwner>?
    ) throws -> Bool {
        try resolve(by: plan.scope, plan.lifetime, askedBy: ObjectIdentifier(plan.scope), call, ownedBy: owner)
    }

    /// Puts the service that `scope` returns into the call's memory. The engine implements all lifetimes other than `.custom`.
    ///
    /// - Parameters:
    ///   - lifetime: the lifetime that the scope describes.
    ///   - asked: the scope of the registration, if this call asks it. It is not `scope` if a `cache` serves `.container`.
    ///   - owner: the isolating resolver that keeps the instance, if any.
    @inline(never)
    final func resolve(
        by scope: any ResolverScopeType, _ lifetime: Lifetime, askedBy asked: ObjectIdentifier?, _ call: Call,
        ownedBy owner: Unretained<RegistrationOwner>?
    ) throws -> Bool {
        switch lifetime {
        case .transient: return try make(call, identity: identity(through: call.resolver, ownedBy: owner))
        case .perCycle: return try shareInCycle(call, identity: identity(through: call.resolver, ownedBy: owner))
        case .cached(let store):
            return try store.use { store in
                if let kept = takeKept(in: store, ownedBy: owner) { return try unpackKept(kept, into: call.memory) }
                return try store.instance(of: self, call, ownedBy: owner, askedBy: asked) ?? make(call)
            }
        case .perContext(let context):
            return try context.use { try $0.resolve(self, call) }
        case .container:
            let cache = self.owner.cache
            if case .container = cache.lifetime { throw ResolutionError.cacheIsContainer(self) }
            return try withExtendedLifetime(cache) {
                try resolve(by: cache, cache.lifetime, askedBy: asked, call, ownedBy: owner)
            }
        case .alias(let alias):
            return try alias.use { try $0.resolve(self, call) }
        case .custom:
            return try resolveByAsking(scope, asked, call)
        }
    }

    /// Whether a slot may serve the instance that the store keeps. If not, each call asks the scope or the store.
    ///
    /// A custom scope might return another instance next time. Called under the cell's lock: a thread that makes it false empties the slots.
    final func isServed(from store: InstanceStore) -> Bool {
        if isReplaced || store.strength == .weak { return false }
        return withPlan { plan in
            guard plan.isUnconditional else { return false }
            switch plan.lifetime {
            case .cached(let own): return own.refers(to: store)
            case .container:
                if case .cached(let own) = owner.cache.lifetime { return own.refers(to: store) }
                return false
            case .perContext(let context):
                return context.use { $0.store === store }
            case .transient, .perCycle, .alias, .custom: return false
            }
        }
    }

    // MARK: Creating

    /// Creates an instance that no scope of the library keeps.
    final func make(_ call: Call) throws -> Bool {
        let isolating = call.resolver.isolatingOwner(of: owner)
        return try make(call, identity: identity(through: call.resolver, ownedBy: isolating))
    }

    /// Creates an instance that has `identity` within the cycle.
    @inline(never)
    final func make(_ call: Call, identity: UInt64) throws -> Bool {
        try withPlan { try make($0, ResolutionCycle.current, call, identity: identity) }
    }

    @inline(__always)
    final func make(_ plan: RegistrationPlan, _ cycle: ResolutionCycle, _ call: Call, identity: UInt64) throws -> Bool {
        if !plan.isPlain {
            return try cycle.makeWithCompletions(plan, of: self, call, identity: identity)
        }
        return try makePlain(cycle, call)
    }

    /// Creates an instance by a call of the factory alone.
    @inline(__always)
    private final func makePlain(_ cycle: ResolutionCycle, _ call: Call) throws -> Bool {
        if let error = cycle.enter(self, hasArguments: !call.args.isNone) { throw error }
        do {
            defer { cycle.leave() }
            let isMade: Bool
            do { isMade = try factory(call) } catch { throw cycle.failure(of: self, error) }
            if !isMade { return try cycle.madeNothing(self) }
            cycle.dropPendingErrors()
        }
        cycle.report(.made, self)
        return true
    }

    // MARK: The resolution cycle

    /// Puts the cycle's instance into the call's memory, or creates one. Out of line, for calls that do not come from a factory's `resolve`.
    @inline(never)
    private final func shareInCycle(_ call: Call, identity: UInt64) throws -> Bool {
        try withPlan { try shareInCycle($0, call, identity: identity) }
    }

    /// Puts the cycle's instance into the call's memory, or creates one, which joins the cycle if it is an object.
    @inline(__always)
    private final func shareInCycle(_ plan: RegistrationPlan, _ call: Call, identity: UInt64) throws -> Bool {
        let cycle = ResolutionCycle.current
        if cycle.instance(identity, of: self, into: call.memory) { return true }
        if TaskResolutionCycle.areThereAny, let frame = TaskFrame.current {
            return try share(in: frame, cycle, call, identity: identity)
        }
        let others = cycle.instanceCount, outer = cycle.beginSharing()
        defer { cycle.endSharing(outer) }
        guard try make(plan, cycle, call, identity: identity) else { return false }
        if cycle.isOpen, isObject(call.memory) {
            // The factory may have resolved its own service with arguments. The outer instance then replaces the inner one.
            if cycle.instanceCount != others { cycle.forget(identity) }
            cycle.keep(call.memory, of: self, identity: identity, for: cycle.range)
        }
        return true
    }

    /// Puts the instance of the running task's cycle into the call's memory, or creates one, which joins that cycle.
    @inline(never)
    private final func share(
        in frame: TaskFrame, _ cycle: ResolutionCycle, _ call: Call, identity: UInt64
    ) throws -> Bool {
        // The result of an asynchronous factory for this call takes precedence over an instance that the factory has resolved.
        let task = frame.cycle, level = frame.level(of: self) + cycle.level(of: self)
        if !cycle.hasFactoryResult(for: self), let kept = cycle.object(identity, in: frame, at: level) {
            return try unpackKept(kept, into: call.memory)
        }
        let outer = cycle.beginSharing()
        defer { cycle.endSharing(outer) }
        guard try make(call, identity: identity) else { return false }
        // The result of a pass that has to wait is ignored.
        guard !cycle.hasPendingWork, isObject(call.memory), let object = pack(call.memory, .strong) else { return true }
        // Another task may have been faster.
        let rank = cycle.hiddenRank(in: frame)
        guard let faster = task.keep(object, identity: identity, at: level, for: rank, by: cycle) else { return true }
        cycle.depend(on: faster, at: rank)
        empty(call.memory)
        return try unpackKept(faster.object, into: call.memory)
    }

    // MARK: Calls that continue with another registration, or with a result they have awaited

    /// Puts the service into the call's memory, or the result that the call has awaited. A custom scope is asked again.
    final func resolveAwaited(_ call: Call) throws -> Bool {
        guard TaskResolutionCycle.areThereAny, let pass = ResolutionCycle.current.pass(for: self),
            pass.hasResult(for: self)
        else { return try resolve(call) }
        return try resolveAfterWaiting(call)
    }

    @inline(never)
    private final func resolveAfterWaiting(_ call: Call) throws -> Bool {
        let cycle = ResolutionCycle.current
        let plan = plan
        switch plan.lifetime {
        case .transient, .perCycle, .custom:
            // A scope kept the result when the call awaited it. A custom scope that has awaited the result is asked again.
            guard let awaited = try cycle.keptResult(for: self, argumentKey(call.args)),
                awaited.asked != ObjectIdentifier(plan.scope)
            else { break }
            guard let object = try awaited.result.get() else { return cycle.nothing(of: self) }
            return try unpackKept(object, into: call.memory)
        case .perContext(let context):
            // The result is for this call alone, because a scope was missing when it was awaited.
            if cycle.hasFactoryResult(for: self) {
                return try context.use { try $0.makeWithoutScope(self, call) }
            }
        case .cached, .container, .alias: break
        }
        if !plan.hasScopeOverride { return try resolve(call) }
        return try resolve(plan, call, ownedBy: call.resolver.isolatingOwner(of: owner))
    }

    /// Looks the service up again, because this registration was removed, replaced or given another scope. After too many such
    /// changes, the service is created for this call alone.
    final func resolveAnew(_ call: Call) throws -> Bool {
        let cycle = ResolutionCycle.current
        guard cycle.mayStartOver else { return try make(call) }
        try cycle.requireStack(for: self)
        let found = call.resolver.findWithOverrides(serviceKey)
        if let found { cycle.setTarget(found, insteadOf: self) }
        let isThere = try cycle.startingOver {
            try call.resolve(found, serviceKey)
        }
        if !isThere { cycle.noteNil(ofSuccessorOf: self) }
        return isThere
    }

    /// Returns the key under which the instance is kept; nil unless one is kept for each argument.
    final func argumentKey(_ args: PassedArguments) throws -> ArgumentKey? {
        guard !args.isNone, let key = plan.argumentKey, let args = Resolver.Args(args).passed else {
            return nil
        }
        // The registration is on the path meanwhile, so errors name the service of the argument.
        let cycle = ResolutionCycle.current
        if let error = cycle.enter(self, hasArguments: true) { throw error }
        defer {
            cycle.dropPendingErrors()
            cycle.leave()
        }
        return try key(args)
    }
}
