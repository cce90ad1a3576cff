// Takes kept instances or creates them. Each function puts the service into the caller's memory, and returns false for nil.

extension AnyResolverRegistration {
    /// Puts the service into `memory`, as the current lifetime requires.
    @inline(never)
    final func resolve(_ resolver: Resolver, _ args: PassedArguments, into memory: ServiceMemory) throws -> Bool {
        let owner = resolver.isolatingOwner(of: owner)
        return try withPlan { plan in
            if plan.hasScopeOverride {
                return try resolveOverridden(plan, resolver, args, ownedBy: owner, into: memory)
            }
            return try resolve(plan, resolver, args, ownedBy: owner, into: memory)
        }
    }

    /// Puts the service into `memory`, if no isolating resolver lies between `resolver` and the registration.
    ///
    /// Inlined for the path of almost all calls: a long chain of calls defeats the processor's return prediction.
    @inline(__always)
    final func resolveUnisolated(
        _ resolver: Resolver, _ args: PassedArguments, into memory: ServiceMemory
    ) throws -> Bool {
        try withPlan { plan in
            switch plan.shortcut {
            case .plain: return try makePlain(ResolutionCycle.current, resolver, args, into: memory)
            case .plainInCycle:
                return try shareInCycle(plan, resolver, args, identity: identity(through: resolver), into: memory)
            case .none: break
            }
            if plan.hasScopeOverride { return try resolveOverridden(plan, resolver, args, ownedBy: nil, into: memory) }
            switch plan.lifetime {
            case .perContext(let context):
                return try context.use { try $0.resolve(self, resolver, args, into: memory) }
            case .alias(let alias):
                return try alias.use { try $0.resolve(self, resolver, args, into: memory) }
            case .transient, .perCycle, .cached, .container, .custom:
                return try resolve(plan, resolver, args, ownedBy: nil, into: memory)
            }
        }
    }

    /// Puts the service into `memory`, where scopes of contexts have registered it for themselves.
    @inline(never)
    private final func resolveOverridden(
        _ plan: RegistrationPlan, _ resolver: Resolver, _ args: PassedArguments,
        ownedBy owner: Unretained<RegistrationOwner>?, into memory: ServiceMemory
    ) throws -> Bool {
        if let local = ScopeContext.shared.local(serviceKey) {
            ResolutionCycle.current.setTarget(local, insteadOf: self)
            return try withExtendedLifetime(local) { try local.resolve(resolver, args, into: memory) }
        }
        ScopeContext.shared.reportIfUnseen(serviceKey)
        return try resolve(plan, resolver, args, ownedBy: owner, into: memory)
    }

    @inline(__always)
    private final func resolve(
        _ plan: RegistrationPlan, _ resolver: Resolver, _ args: PassedArguments,
        ownedBy owner: Unretained<RegistrationOwner>?, into memory: ServiceMemory
    ) throws -> Bool {
        try resolve(
            by: plan.scope, plan.lifetime, askedBy: ObjectIdentifier(plan.scope), resolver, args, ownedBy: owner,
            into: memory)
    }

    /// Puts the service that `scope` returns into `memory`. The engine implements all lifetimes other than `.custom`.
    ///
    /// - Parameters:
    ///   - lifetime: the lifetime that the scope describes.
    ///   - asked: the scope of the registration, if this call asks it. It is not `scope` if a `cache` serves `.container`.
    ///   - owner: the isolating resolver that keeps the instance, if any.
    @inline(never)
    final func resolve(
        by scope: any ResolverScopeType, _ lifetime: Lifetime, askedBy asked: ObjectIdentifier?, _ resolver: Resolver,
        _ args: PassedArguments, ownedBy owner: Unretained<RegistrationOwner>?, into memory: ServiceMemory
    ) throws -> Bool {
        switch lifetime {
        case .transient: return try make(resolver, args, into: memory)
        case .perCycle:
            let identity = identity(through: resolver, ownedBy: owner)
            return try shareInCycle(resolver, args, identity: identity, into: memory)
        case .cached(let store):
            return try store.use { store in
                if let kept = takeKept(in: store, ownedBy: owner) { return try unpackKept(kept, into: memory) }
                return try store.instance(of: self, resolver, args, ownedBy: owner, askedBy: asked, into: memory)
                    ?? make(resolver, args, into: memory)
            }
        case .perContext(let context):
            return try context.use { try $0.resolve(self, resolver, args, into: memory) }
        case .container:
            let cache = self.owner.cache
            if case .container = cache.lifetime { throw ResolutionError.cacheIsContainer(self) }
            return try withExtendedLifetime(cache) {
                try resolve(
                    by: cache, cache.lifetime, askedBy: asked, resolver, args, ownedBy: owner, into: memory)
            }
        case .alias(let alias):
            return try alias.use { try $0.resolve(self, resolver, args, into: memory) }
        case .custom:
            return try resolveByAsking(scope, asked, resolver, args, into: memory)
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

    /// Creates an instance for a scope that does not know isolating resolvers.
    final func make(_ resolver: Resolver, _ args: PassedArguments, into memory: ServiceMemory) throws -> Bool {
        try make(resolver, args, identity: identity(through: resolver), into: memory)
    }

    /// Creates an instance that has `identity` within the cycle.
    @inline(never)
    final func make(
        _ resolver: Resolver, _ args: PassedArguments, identity: UInt64, into memory: ServiceMemory
    ) throws -> Bool {
        try withPlan { try make($0, ResolutionCycle.current, resolver, args, identity: identity, into: memory) }
    }

    @inline(__always)
    final func make(
        _ plan: RegistrationPlan, _ cycle: ResolutionCycle, _ resolver: Resolver, _ args: PassedArguments,
        identity: UInt64, into memory: ServiceMemory
    ) throws -> Bool {
        if !plan.isPlain {
            return try cycle.makeWithCompletions(plan, of: self, resolver, args, identity: identity, into: memory)
        }
        return try makePlain(cycle, resolver, args, into: memory)
    }

    /// Creates an instance by a call of the factory alone.
    @inline(__always)
    private final func makePlain(
        _ cycle: ResolutionCycle, _ resolver: Resolver, _ args: PassedArguments, into memory: ServiceMemory
    ) throws -> Bool {
        if let error = cycle.enter(self, hasArguments: !args.isNone) { throw error }
        do {
            defer { cycle.leave() }
            let isMade: Bool
            do { isMade = try factory(resolver, args, memory) } catch { throw cycle.failure(of: self, error) }
            if !isMade { return try cycle.madeNothing(self) }
            cycle.dropPendingErrors()
        }
        cycle.report(.made, self)
        return true
    }

    // MARK: The resolution cycle

    /// Puts the cycle's instance into `memory`, or creates one. Out of line, for calls that do not come from a factory's `resolve`.
    @inline(never)
    private final func shareInCycle(
        _ resolver: Resolver, _ args: PassedArguments, identity: UInt64, into memory: ServiceMemory
    ) throws -> Bool {
        try withPlan { try shareInCycle($0, resolver, args, identity: identity, into: memory) }
    }

    /// Puts the cycle's instance into `memory`, or creates one, which joins the cycle if it is an object.
    @inline(__always)
    private final func shareInCycle(
        _ plan: RegistrationPlan, _ resolver: Resolver, _ args: PassedArguments, identity: UInt64,
        into memory: ServiceMemory
    ) throws -> Bool {
        let cycle = ResolutionCycle.current
        if cycle.instance(identity, of: self, into: memory) { return true }
        if TaskResolutionCycle.areThereAny, let frame = TaskFrame.current {
            return try share(in: frame, cycle, resolver, args, identity: identity, into: memory)
        }
        let others = cycle.instanceCount, outer = cycle.beginSharing()
        defer { cycle.endSharing(outer) }
        guard try make(plan, cycle, resolver, args, identity: identity, into: memory) else { return false }
        if cycle.isOpen, isObject(memory) {
            // The factory may have resolved its own service with arguments. The outer instance then replaces the inner one.
            if cycle.instanceCount != others { cycle.forget(identity) }
            cycle.keep(memory, of: self, identity: identity, for: cycle.range)
        }
        return true
    }

    /// Puts the instance of the running task's cycle into `memory`, or creates one, which joins that cycle.
    @inline(never)
    private final func share(
        in frame: TaskFrame, _ cycle: ResolutionCycle, _ resolver: Resolver, _ args: PassedArguments,
        identity: UInt64, into memory: ServiceMemory
    ) throws -> Bool {
        // The result of an asynchronous factory for this call takes precedence over an instance that the factory has resolved.
        let task = frame.cycle, level = frame.level(of: self) + cycle.level(of: self)
        if !cycle.hasFactoryResult(for: self), let kept = cycle.object(identity, in: frame, at: level) {
            return try unpackKept(kept, into: memory)
        }
        let outer = cycle.beginSharing()
        defer { cycle.endSharing(outer) }
        guard try make(resolver, args, identity: identity, into: memory) else { return false }
        guard isObject(memory), let object = pack(memory, .strong) else { return true }
        // Another task may have been faster.
        let rank = cycle.hiddenRank(in: frame)
        guard let faster = task.keep(object, identity: identity, at: level, for: rank, by: cycle) else { return true }
        cycle.depend(on: faster, at: rank)
        empty(memory)
        return try unpackKept(faster.object, into: memory)
    }

    // MARK: Calls that continue with another registration, or with a result they have awaited

    /// Puts the service into `memory`, or the result that the call has awaited. A custom scope is asked again.
    final func resolveAwaited(_ resolver: Resolver, _ args: PassedArguments, into memory: ServiceMemory) throws -> Bool
    {
        guard TaskResolutionCycle.areThereAny, let pass = ResolutionCycle.current.pass(for: self),
            pass.hasResult(for: self)
        else { return try resolve(resolver, args, into: memory) }
        return try resolveAfterWaiting(resolver, args, into: memory)
    }

    @inline(never)
    private final func resolveAfterWaiting(
        _ resolver: Resolver, _ args: PassedArguments, into memory: ServiceMemory
    ) throws -> Bool {
        let cycle = ResolutionCycle.current
        let plan = plan
        switch plan.lifetime {
        case .transient, .perCycle, .custom:
            // A scope kept the result when the call awaited it. A custom scope that has awaited the result is asked again.
            guard let awaited = try cycle.keptResult(for: self, argumentKey(args)),
                awaited.asked != ObjectIdentifier(plan.scope)
            else { break }
            guard let object = try awaited.result.get() else { return cycle.nothing(of: self) }
            return try unpackKept(object, into: memory)
        case .perContext(let context):
            // The result is for this call alone, because a scope was missing when it was awaited.
            if cycle.hasFactoryResult(for: self) {
                return try context.use { try $0.makeWithoutScope(self, resolver, args, into: memory) }
            }
        case .cached, .container, .alias: break
        }
        if !plan.hasScopeOverride { return try resolve(resolver, args, into: memory) }
        return try resolve(plan, resolver, args, ownedBy: resolver.isolatingOwner(of: owner), into: memory)
    }

    /// Looks the service up again, because this registration was removed, replaced or given another scope. After too many such
    /// changes, the service is created for this call alone.
    final func resolveAnew(_ resolver: Resolver, _ args: PassedArguments, into memory: ServiceMemory) throws -> Bool {
        let cycle = ResolutionCycle.current
        guard cycle.mayStartOver else { return try make(resolver, args, into: memory) }
        try cycle.requireStack(for: self)
        let found = resolver.findWithOverrides(serviceKey)
        if let found { cycle.setTarget(found, insteadOf: self) }
        let isThere = try cycle.startingOver {
            try resolver.resolve(found, serviceKey, args, into: memory)
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
