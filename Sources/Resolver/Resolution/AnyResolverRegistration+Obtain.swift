// Keep, make. Every function puts the service into memory of the caller, and returns whether there is one.

extension AnyResolverRegistration {
    /// The service, as long as its lifetime of the moment says.
    @inline(never)
    final func obtain(_ resolver: Resolver, _ args: PassedArguments, into memory: ServiceMemory) throws -> Bool {
        try obtainInline(resolver, args, into: memory)
    }

    /// `obtain` for the way that nearly all calls take: in a long chain of services a processor no longer foresees where its calls
    /// return to.
    @inline(__always)
    final func obtainInline(_ resolver: Resolver, _ args: PassedArguments, into memory: ServiceMemory) throws -> Bool {
        try withPlan { plan in
            if plan.hasScopeOverride { return try resolveOverridden(resolver, args, into: memory) }
            switch plan.lifetime {
            case .transient:
                return try make(
                    plan, ResolutionCycle.current, resolver, args, identity: identity(through: resolver), into: memory)
            case .perCycle:
                return try shareInCycle(plan, resolver, args, identity: identity(through: resolver), into: memory)
            case .cached, .container, .perContext, .alias, .custom:
                return try obtainKept(plan, resolver, args, into: memory)
            }
        }
    }

    /// The service, where its lifetime may keep it beyond the cycle.
    @inline(never)
    private final func obtainKept(
        _ plan: RegistrationPlan, _ resolver: Resolver, _ args: PassedArguments, into memory: ServiceMemory
    ) throws -> Bool {
        switch plan.lifetime {
        // Where a slot answers, it is the store that fills it.
        case .cached(let store):
            let kept = store.use { store in
                plan.isUnconditional && store.strength == .strong
                    ? nil : look(in: store, plan, resolver, args, keeper: resolver.keeper(of: owner))
            }
            if let kept { return unpack(kept, into: memory) }
        case .perContext(let context):
            return try context.use { context in
                let scope = context.scope(for: self)
                if let scope, let kept = look(in: context, scope, plan) { return unpack(kept, into: memory) }
                return try context.instance(of: self, for: scope, resolver, args, into: memory)
            }
        case .transient, .perCycle, .container, .alias, .custom: break
        }
        return try askScope(resolver, args, into: memory)
    }

    /// The service, whether an isolating resolver comes before the registration or not.
    final func obtain(
        through resolver: Resolver, _ args: PassedArguments, into memory: ServiceMemory
    ) throws -> Bool {
        // Nothing comes between a resolver and what is registered on it.
        if owner === resolver.owner { return try obtain(resolver, args, into: memory) }
        return try obtainIsolated(resolver, args, into: memory)
    }

    /// The service behind an isolating resolver: what that keeps is not in the slot of the registration, and its graph instances are its
    /// own.
    final func obtainIsolated(
        _ resolver: Resolver, _ args: PassedArguments, into memory: ServiceMemory
    ) throws -> Bool {
        let keeper = resolver.keeper(of: owner)
        return try withPlan { plan in
            if plan.lifetime.isPerCycle {
                let identity = identity(through: resolver, keeper: keeper)
                return try shareInCycle(plan, resolver, args, identity: identity, into: memory)
            }
            if case .cached(let store) = plan.lifetime,
                let kept = store.use({ look(in: $0, plan, resolver, args, keeper: keeper) })
            {
                return unpack(kept, into: memory)
            }
            return try obtain(resolver, args, into: memory)
        }
    }

    /// The service, where scopes have registered it for themselves.
    final func resolveOverridden(
        _ resolver: Resolver, _ args: PassedArguments, into memory: ServiceMemory
    ) throws -> Bool {
        guard let local = ScopeContext.shared.local(serviceKey, as: service) else {
            ScopeContext.shared.tellIfUnseen(serviceKey, as: service)
            return try askScope(resolver, args, into: memory)
        }
        ResolutionCycle.current.setTarget(local, insteadOf: self)
        return try withExtendedLifetime(local) { try local.obtain(resolver, args, into: memory) }
    }

    final func askScope(_ resolver: Resolver, _ args: PassedArguments, into memory: ServiceMemory) throws -> Bool {
        try withPlan { plan in
            let cycle = ResolutionCycle.current
            let outer = cycle.beginAsking(plan.scope, for: self)
            defer { cycle.endAsking(outer) }
            let isThere = try instance(by: plan.scope, plan.lifetime, resolver, args, into: memory)
            if !isThere { try cycle.endWithNil(self) }
            return isThere
        }
    }

    /// What a scope says; `lifetime` is what it describes.
    @inline(never)
    final func instance(
        by scope: any ResolverScopeType, _ lifetime: Lifetime, _ resolver: Resolver, _ args: PassedArguments,
        into memory: ServiceMemory
    ) throws -> Bool {
        switch lifetime {
        case .transient: return try make(resolver, args, into: memory)
        case .perCycle:
            let identity = identity(through: resolver, keeper: resolver.keeper(of: owner))
            return try withPlan { try shareInCycle($0, resolver, args, identity: identity, into: memory) }
        case .cached(let store):
            return try store.use { try $0.instance(of: self, resolver, args, into: memory) }
        case .container:
            let cache = owner.cache
            if case .container = cache.lifetime { throw ResolutionError.cacheIsContainer(self) }
            return try withExtendedLifetime(cache) {
                try instance(by: cache, cache.lifetime, resolver, args, into: memory)
            }
        case .perContext(let context):
            return try context.use {
                try $0.instance(of: self, for: $0.scope(for: self), resolver, args, into: memory)
            }
        case .alias(let alias):
            return try alias.use { try $0.instance(of: self, resolver, args, into: memory) }
        case .custom: return try ask(scope, resolver, args.value, into: memory)
        }
    }

    /// Whether a hit need not ask for what the store keeps: the registration's own lifetime says so, and not a scope of the user
    /// that might say something else next time.
    final func isServed(from store: InstanceStore) -> Bool {
        if store.strength == .weak { return false }
        return withPlan { plan in
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

    // MARK: Make

    /// A new instance, as a scope makes it that knows nothing of isolating resolvers.
    final func make(_ resolver: Resolver, _ args: PassedArguments, into memory: ServiceMemory) throws -> Bool {
        try make(resolver, args, identity: identity(through: resolver), into: memory)
    }

    /// A new instance that `identity` sets apart from others in the cycle.
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
        if let refusal = cycle.enter(self, hasArguments: !args.isNone) { throw refusal }
        do {
            defer { cycle.leave() }
            let isMade: Bool
            do { isMade = try plan.factory(resolver, args, memory) } catch { throw cycle.failure(of: self, error) }
            if !isMade { return try cycle.madeNothing(self) }
            cycle.dropPendingErrors()
        }
        cycle.tell(.made, self)
        return true
    }

    // MARK: The resolution cycle

    /// The instance of the running cycle, or one that is made now and, if it is an object, joins the cycle.
    @inline(never)
    final func shareInCycle(
        _ plan: RegistrationPlan, _ resolver: Resolver, _ args: PassedArguments, identity: UInt64,
        into memory: ServiceMemory
    ) throws -> Bool {
        let cycle = ResolutionCycle.current
        if cycle.instance(identity, of: self, into: memory) { return true }
        if TaskResolutionCycle.areThereAny, let task = TaskFrame.current?.cycle {
            return try share(in: task, cycle, resolver, args, identity: identity, into: memory)
        }
        guard try make(plan, cycle, resolver, args, identity: identity, into: memory) else { return false }
        if cycle.isOpen, isObject(memory) {
            // With arguments the factory may have resolved its own service: then the outer instance takes over.
            if !args.isNone { cycle.forget(identity) }
            cycle.keep(memory, of: self, identity: identity)
        }
        return true
    }

    /// The instance of the cycle that the running task takes part in, or one that is made now and joins that.
    @inline(never)
    private final func share(
        in task: TaskResolutionCycle, _ cycle: ResolutionCycle, _ resolver: Resolver, _ args: PassedArguments,
        identity: UInt64, into memory: ServiceMemory
    ) throws -> Bool {
        // What an asynchronous factory has made for this call comes before what it may have made on the way.
        if !cycle.hasMade(for: self), let kept = task.instance(identity) { return unpack(kept, into: memory) }
        guard try make(resolver, args, identity: identity, into: memory) else { return false }
        guard isObject(memory), let object = pack(memory, .strong) else { return true }
        // With arguments the factory may have resolved its own service: then the outer instance takes over.
        if !args.isNone { task.forget(identity) }
        // A block that completes it may have put it there, and another task may have been faster.
        cycle.forget(identity)
        let kept = task.keep(object, identity: identity)
        if kept === object { return true }
        empty(memory)
        return unpack(kept, into: memory)
    }

    // MARK: Calls that go on with something else than they have found: another registration, or what they have waited for

    /// The service, or what the call has waited for if it has, whatever is registered by now. A scope of the user is asked again.
    final func obtainAwaited(
        through resolver: Resolver, _ args: PassedArguments, into memory: ServiceMemory
    ) throws -> Bool {
        if isAwaited { return try obtainAfterWaiting(resolver, args, into: memory) }
        return try obtain(through: resolver, args, into: memory)
    }

    @inline(never)
    private final func obtainAfterWaiting(
        _ resolver: Resolver, _ args: PassedArguments, into memory: ServiceMemory
    ) throws -> Bool {
        let cycle = ResolutionCycle.current
        guard let pass = cycle.pass(for: self), pass.hasWaited(for: self) else {
            return try obtain(through: resolver, args, into: memory)
        }
        switch plan.lifetime {
        case .transient, .perCycle:
            // It was kept when it was waited for.
            guard let awaited = try cycle.awaited(self, argumentKey(args)) else { break }
            guard let object = try awaited.get() else { return cycle.nothing(of: self) }
            return unpack(object, into: memory)
        case .perContext:
            // It was made for this call alone, before it was for a scope, which may be missing.
            if cycle.hasMade(for: self) { return try make(resolver, args, into: memory) }
        case .cached, .container, .alias, .custom: break
        }
        if plan.hasScopeOverride { return try askScope(resolver, args, into: memory) }
        return try obtain(through: resolver, args, into: memory)
    }

    /// For an alias that comes back with nil: the service from what is found now, if both it and what it stood for were removed
    /// after it had been found.
    final func obtainAnewIfGone(
        _ resolver: Resolver, _ args: PassedArguments, into memory: ServiceMemory
    ) throws -> Bool {
        let cycle = ResolutionCycle.current
        guard isReplaced, cycle.hasFoundNothing, cycle.mayStartOver else { return false }
        return try obtainAnew(resolver, args, into: memory)
    }

    /// The service from what is found now that this registration is no longer in its resolver, or has another scope. If that
    /// happens to one after the other, one of them makes the service for this call alone: it was there when it was found.
    final func obtainAnew(_ resolver: Resolver, _ args: PassedArguments, into memory: ServiceMemory) throws -> Bool {
        let cycle = ResolutionCycle.current
        guard cycle.mayStartOver else { return try make(resolver, args, into: memory) }
        try cycle.requireStack(for: self)
        let found = resolver.findSeen(serviceKey, as: service)
        if let found { cycle.setTarget(found, insteadOf: self) }
        let isThere = try cycle.startingOver {
            try resolver.obtain(found, serviceKey, as: service, args, into: memory)
        }
        if !isThere { cycle.noteNil(ofSuccessorOf: self) }
        return isThere
    }

    /// What the instance for a call is kept by, where one is kept for each argument.
    final func argumentKey(_ args: PassedArguments) throws -> ArgumentKey? {
        guard !args.isNone, let key = plan.settings.argumentKey, let args = Resolver.Args(args.value).passed else {
            return nil
        }
        // On the path meanwhile, for errors to tell whose argument it is.
        let cycle = ResolutionCycle.current
        if let refusal = cycle.enter(self, hasArguments: true) { throw refusal }
        defer {
            cycle.dropPendingErrors()
            cycle.leave()
        }
        return try key(args)
    }
}
