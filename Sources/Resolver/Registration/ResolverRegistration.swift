/// How one service is made and who keeps it: what `register` puts into a resolver.
///
/// Scopes are handed a registration and ask it to `instantiate`. All members may be used from any thread.
public final class ResolverRegistration<Service>: AnyResolverRegistration, @unchecked Sendable {
    /// A registration by hand, for a resolver to be asked through but not stored in it.
    ///
    /// - Parameter key: the identity of the type, `Int(bitPattern: ObjectIdentifier(Service.self))`.
    public convenience init(
        resolver: Resolver, key: Int, name: Resolver.Name?, fileID: StaticString = #fileID, line: UInt = #line,
        factory: @escaping ResolverFactoryAnyArguments<Service>
    ) {
        let type = UnsafeRawPointer(bitPattern: key).map { unsafeBitCast($0, to: ObjectIdentifier.self) }
        self.init(
            key: ServiceKey(type: type ?? ObjectIdentifier(Service.self), name: name), isAlias: false,
            location: SourceLocation(fileID: fileID, line: line), owner: resolver.owner,
            plan: RegistrationPlan(
                factory: .withArguments { factory($0, $1.value) },
                lifetime: RegistrationLifetime(scope: resolver.effectiveDefaultScope)))
    }

    init(
        key: ServiceKey, isAlias: Bool, location: SourceLocation, owner: RegistrationOwner,
        plan: RegistrationPlan<Service>
    ) {
        super.init(
            Service.self, isDirect: Service.self is AnyClass, isAlias: isAlias, key: key, location: location,
            owner: owner)
        planWord.store(Unmanaged<AnyRegistrationPlan>.passRetained(plan).word)
    }

    // MARK: What scopes use

    /// The service, from the registration's scope: a kept instance, or one made now.
    ///
    /// - Returns: nil if there is no instance to be had. Inside a resolution, an error that was the reason is thrown by
    ///   the door that was asked.
    public func resolve(resolver: Resolver, args: Any?) -> Service? {
        ResolutionCycle.current.holdingErrors { try obtain(resolver, args) }
    }

    /// A new instance. A scope calls this when it has none to give.
    ///
    /// - Returns: nil if the factory returned nil or failed. Inside a resolution, an error that was the reason is thrown
    ///   by the door that was asked, once the scope has returned nil.
    public func instantiate(resolver: Resolver, args: Any?) -> Service? {
        ResolutionCycle.current.holdingErrors { try make(resolver: resolver, args: args) }
    }

    /// The same for scopes that want to know why: a new instance, or nil if the factory returned nil.
    ///
    /// - Throws: `ResolutionError`, with what the factory threw as `underlying`.
    public func make(resolver: Resolver, args: Any?) throws -> Service? {
        try make(resolver, args, identity: identity(through: resolver))
    }

    /// The same where it is known what sets the instance apart from others in the cycle.
    func make(_ resolver: Resolver, _ args: Any?, identity: UInt64) throws -> Service? {
        try PassedArguments.with(args) { args in
            try withPlan { try make($0, ResolutionCycle.current, resolver, args, identity: identity) }
        }
    }

    @inlinable @inline(__always)
    func make(
        _ plan: RegistrationPlan<Service>, _ cycle: ResolutionCycle, _ resolver: Resolver, _ args: PassedArguments,
        identity: UInt64
    ) throws -> Service? {
        if !plan.isPlain { return try cycle.makeWithCompletions(plan, of: self, resolver, args, identity: identity) }
        if let refusal = cycle.enter(self, hasArguments: !args.isNone) { throw refusal }
        defer { cycle.leave() }
        do {
            let service = try plan.factory(resolver, args)
            // Not unwrapped, which would copy it.
            if service != nil {
                cycle.dropPendingErrors()
                return service
            }
        } catch {
            throw cycle.failure(of: self, error)
        }
        return try cycle.madeNothing(self)
    }

    /// Wraps the factory, together with the properties it resolves so far: the extension point for modifiers of your own.
    ///
    ///     extension ResolverOptions {
    ///         func onInit(_ body: @escaping @Sendable (Service) -> Void) -> Self {
    ///             registration.update { factory in
    ///                 { resolver, args in
    ///                     let service = factory(resolver, args)
    ///                     if let service { body(service) }
    ///                     return service
    ///                 }
    ///             }
    ///             return self
    ///         }
    ///     }
    ///
    /// A wrapped factory that throws returns nil here; if the wrapper then returns nil too, the error goes on its way. An
    /// asynchronous factory has been awaited before the wrapper runs, which then gets what it made, or is not called if it
    /// threw.
    public func update(
        factory modifier: (_ factory: @escaping ResolverFactoryAnyArguments<Service>)
            -> ResolverFactoryAnyArguments<Service>
    ) {
        let (completed, preparation) = withPlan { ($0.completed, $0.preparation) }
        let wrapped = modifier { resolver, args in
            ResolutionCycle.current.holdingErrors { try PassedArguments.with(args) { try completed(resolver, $0) } }
        }
        replacePlan { plan in
            plan.with(
                wrapped: .withArguments { [unowned self] resolver, args in
                    try preparation?(self, resolver, args)
                    return wrapped(resolver, args.value)
                })
        }
    }

    // MARK: The plan

    /// The plan of the moment. The word holds a reference, and a plan keeps its predecessors, so a plan once read stays
    /// as long as `self` does.
    @inlinable @inline(__always)
    func withPlan<Result>(_ body: (RegistrationPlan<Service>) throws -> Result) rethrows -> Result {
        let plan = UnsafeRawPointer(bitPattern: UInt(planWord.load())).unsafelyUnwrapped
        return try Unmanaged<RegistrationPlan<Service>>.fromOpaque(plan)._withUnsafeGuaranteedRef(body)
    }

    override func checkScopeOverrides() -> FastSlots.Invalidated? {
        if !plan.lifetime.hasScopeOverride { replacePlan { $0.with { $0.hasScopeOverride = true } } }
        // Another thread that has done so may not have come here yet.
        return ownCell?.takeSlots()
    }

    func replacePlan(_ change: (RegistrationPlan<Service>) -> RegistrationPlan<Service>) {
        owner.modify {
            // Without the type of the service, which would have to be looked up.
            let old = Unmanaged<AnyRegistrationPlan>.fromWord(planWord.load()).unsafelyUnwrapped
            let new = change(unsafeDowncast(old.takeUnretainedValue(), to: RegistrationPlan<Service>.self))
            new.previous = old.takeRetainedValue()
            planWord.store(Unmanaged<AnyRegistrationPlan>.passRetained(new).word)
        }
    }

    /// The service from the scope of the moment.
    @inlinable @inline(__always)
    func obtain(_ resolver: Resolver, _ args: PassedArguments) throws -> Service? {
        try withPlan { plan in
            switch plan.shortcut {
            case .make:
                return try make(
                    plan, ResolutionCycle.current, resolver, args, identity: identity(through: resolver))
            case .shareInCycle:
                return try shareInCycle(plan, resolver, args, identity: identity(through: resolver))
            case .look: return try look(resolver, args).map(ResolverRegistration.unpack) ?? askScope(resolver, args)
            case .context:
                var scope: ScopeHandle?
                return try look(finding: &scope).map(ResolverRegistration.unpack)
                    ?? make(plan, for: scope, resolver, args)
            case .ask: return try askScope(resolver, args)
            case .overridden: return try resolveOverridden(resolver, args)
            }
        }
    }

    /// The same behind an isolating resolver: what it keeps is in no slot, and its graph instances are its own.
    func obtainIsolated(_ resolver: Resolver, _ args: PassedArguments) throws -> Service? {
        let identity = identity(through: resolver, keeper: resolver.keeper(of: owner))
        return try withPlan { plan in
            if plan.scopeShortcut == .shareInCycle { return try shareInCycle(plan, resolver, args, identity: identity) }
            if plan.context != nil { return try obtain(resolver, args) }
            return try look(resolver, args).map(ResolverRegistration.unpack) ?? obtain(resolver, args)
        }
    }

    /// The same with arguments as code of the user has them.
    func obtain(_ resolver: Resolver, _ args: Any?) throws -> Service? {
        try PassedArguments.with(args) { try obtain(resolver, $0) }
    }

    /// The same where scopes have registered the service for themselves.
    @usableFromInline
    func resolveOverridden(_ resolver: Resolver, _ args: PassedArguments) throws -> Service? {
        guard let local = ScopeContext.shared.local(serviceKey, as: service) else {
            ScopeContext.shared.tellIfHidden(serviceKey, as: service)
            return try askScope(resolver, args)
        }
        let found: ResolverRegistration<Service> = local.typed()
        ResolutionCycle.current.setTarget(found, insteadOf: self)
        return try found.obtain(resolver, args)
    }

    @usableFromInline
    func make(
        _ plan: RegistrationPlan<Service>, for scope: ScopeHandle?, _ resolver: Resolver, _ args: PassedArguments
    ) throws -> Service? {
        try plan.context?.instance(of: self, for: scope, resolver, args.value)
    }

    @usableFromInline
    func askScope(_ resolver: Resolver, _ args: PassedArguments) throws -> Service? {
        let scope = plan.lifetime.scope
        let cycle = ResolutionCycle.current
        let outer = cycle.beginAsking(scope, for: self)
        defer { cycle.endAsking(outer) }
        let service = try scope.tryResolve(registration: self, resolver: resolver, args: args.value)
        if service == nil { try cycle.endWithNil(self) }
        return service
    }

    /// The service, whether an isolating resolver comes before the registration or not.
    @inline(__always)
    func obtain(through resolver: Resolver, _ args: PassedArguments) throws -> Service? {
        // Nothing comes between a resolver and what is registered on it.
        owner === resolver.owner ? try obtain(resolver, args) : try obtainIsolated(resolver, args)
    }

    /// The instance of the running cycle, or one that is made now and, if it is an object, joins the cycle.
    @inlinable
    func shareInCycle(
        _ plan: RegistrationPlan<Service>, _ resolver: Resolver, _ args: PassedArguments, identity: UInt64
    ) throws -> Service? {
        let cycle = ResolutionCycle.current
        if let kept = cycle.instance(Service.self, identity: identity) { return kept }
        if TaskResolutionCycle.areThereAny, let task = TaskFrame.current?.cycle {
            return try share(in: task, plan, cycle, resolver, args, identity: identity)
        }
        guard let made = try make(plan, cycle, resolver, args, identity: identity) else { return nil }
        if cycle.isOpen, isObject(made) {
            // With arguments the factory may have resolved its own service: then the outer instance takes over.
            if !args.isNone { cycle.forget(identity) }
            cycle.keep(made, identity: identity)
        }
        return made
    }

    /// The instance of the cycle that the running task takes part in, or one that is made now and joins that.
    @usableFromInline
    func share(
        in task: TaskResolutionCycle, _ plan: RegistrationPlan<Service>, _ cycle: ResolutionCycle, _ resolver: Resolver,
        _ args: PassedArguments, identity: UInt64
    ) throws -> Service? {
        // What an asynchronous factory has made for this call comes before what it may have made on the way.
        if !cycle.hasMade(for: self), let kept = task.instance(identity) { return ResolverRegistration.unpack(kept) }
        guard let made = try make(plan, cycle, resolver, args, identity: identity) else { return nil }
        guard isObject(made), let object = pack(made, .strong) else { return made }
        // With arguments the factory may have resolved its own service: then the outer instance takes over.
        if !args.isNone { task.forget(identity) }
        // A block that completes it may have put it there, and another task may have been faster.
        cycle.forget(identity)
        return ResolverRegistration.unpack(task.keep(object, identity: identity))
    }
}

extension ResolverRegistration {
    /// 1.5.1's identity of the type, as a number.
    public var key: Int { Int(bitPattern: serviceKey.type) }
    /// 1.5.1's key for caches, which knows nothing of the resolver: a scope that keeps instances by it shares them
    /// between resolvers. `ObjectIdentifier(registration)` does not.
    public var cacheKey: String {
        serviceKey.name.map { "\(key):\($0.rawValue)" } ?? "\(key)"
    }
}
