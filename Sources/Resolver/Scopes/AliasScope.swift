/// The scope of an alias, which `.implements` registers. The scope of the service that the alias stands for keeps the instance.
///
/// This scope gets the instance from there, and publishes it to the alias's own fast path.
final class AliasScope: ResolverScope, @unchecked Sendable {
    /// The key of the service that the alias stands for, in the resolver where the alias is registered.
    let source: ServiceKey
    /// Puts the service of the first memory into the second as the alias's type, if it has that type.
    private let convert: @Sendable (ServiceMemory, ServiceMemory) -> Bool
    /// The form of the first object that was cast to the alias's protocol. Most aliases have objects of one class.
    private let form: PublishedReference<ExistentialForm>
    /// The storage of `form`.
    @exclusivity(unchecked) private var word: UInt64 = 0

    init(source: ServiceKey, _ convert: @escaping @Sendable (ServiceMemory, ServiceMemory) -> Bool) {
        (self.source, self.convert) = (source, convert)
        form = PublishedReference(at: AtomicWord(at: &word))
    }

    deinit { form.exchange(nil) }

    override var described: Lifetime { .alias(Unretained(self)) }
    override var isBuiltIn: Bool { true }

    /// Puts the service that the alias stands for into the call's memory.
    @inline(never)
    func resolve(_ alias: AnyResolverRegistration, _ call: Call) throws -> Bool {
        let cycle = ResolutionCycle.current
        if let error = cycle.enter(alias, hasArguments: !call.args.isNone) { throw error }
        let isThere: Bool?
        do {
            defer { cycle.leave() }
            isThere = try resolveSource(of: alias, cycle, call)
        }
        if isThere == true { return true }
        // If the alias and its source were removed, another registration may have the service.
        guard isThere == nil, alias.isReplaced, cycle.mayStartOver else { return cycle.nothing(of: alias) }
        return try alias.resolveAnew(call)
    }

    /// - Returns: whether there is a service; nil if none was found.
    @inline(__always)
    private func resolveSource(
        of alias: AnyResolverRegistration, _ cycle: ResolutionCycle, _ call: Call
    ) throws -> Bool? {
        guard let found = searchSource(cycle, call.resolver) else {
            return try resolveSourceInFull(of: alias, cycle, call)
        }
        return try found.use { found in
            try resolveAndMove(found, cycle, call, to: alias) { try found.resolveUnisolated($0) }
        }
    }

    /// Returns the registration of the source, if a search is enough to find it: without a pass, an observer, an isolating resolver and
    /// a registration of a scope.
    ///
    /// It is not enough for another alias, also in a scope: that one may stand for this alias.
    @inline(__always)
    private func searchSource(_ cycle: ResolutionCycle, _ resolver: Resolver) -> FoundRegistration? {
        guard SlowPathReasons.isNoneForResolvers, !cycle.isInPass, let (found, isolating) = resolver.search(source),
            isolating == nil, found.use({ !$0.isAlias && !$0.withPlan(\.hasScopeOverride) })
        else { return nil }
        return found
    }

    @inline(never)
    private func resolveSourceInFull(
        of alias: AnyResolverRegistration, _ cycle: ResolutionCycle, _ call: Call
    ) throws -> Bool? {
        let awaited = cycle.awaitedRegistration(source, insteadOf: alias)
        guard let found = awaited ?? call.resolver.findWithOverrides(source) else {
            call.resolver.noteNothingFound(source)
            return nil
        }
        if awaited == nil, found.isAlias { try alias.requireService(behind: found, call.resolver) }
        cycle.setTarget(found, insteadOf: alias)
        return try resolveAndMove(found, cycle, call, to: alias) {
            guard try found.resolveAwaited($0) else { return false }
            try Resolver.decorateIfAsked($0.memory, of: found)
            return true
        }
    }

    /// Calls `resolve` for the service of `found`, and puts the service into the call's memory for the alias.
    ///
    /// - Returns: whether there is a service; nil if none was found.
    @inline(__always)
    private func resolveAndMove(
        _ found: AnyResolverRegistration, _ cycle: ResolutionCycle, _ call: Call, to alias: AnyResolverRegistration,
        _ resolve: (Call) throws -> Bool
    ) throws -> Bool? {
        // Captured one by one: the closure is not inlined if it captures the call.
        let resolver = call.resolver, args = call.args, memory = call.memory
        return try found.withMemory { service in
            guard try resolve(Call(resolver, args, into: service)) else { return cycle.hasFoundNothing ? nil : false }
            guard move(service, of: found, into: memory, of: alias) else { return false }
            if found.ownCell != nil { share(memory, of: alias, in: resolver, keptFor: found) }
            return true
        }
    }

    /// Puts the service of another registration into the memory for the alias.
    ///
    /// - Returns: false if the service does not have the type of the alias, or the calling code must not use it by that type.
    @inline(__always)
    private func move(
        _ service: ServiceMemory, of found: AnyResolverRegistration, into memory: ServiceMemory,
        of alias: AnyResolverRegistration
    ) -> Bool {
        if found.isDirect, let form = form.current, form.use({ $0.move(service.address, into: memory.address) }) {
            return true
        }
        guard convert(service, memory), alias.mayHandOut(memory) else { return false }
        if found.isDirect, form.isEmpty,
            let new = ExistentialForm.of(memory.address, alias.serviceType, castFrom: service.address)
        {
            _ = form.setIfEmpty(new)
        }
        return true
    }

    /// Publishes the service in `memory` to the alias's own slot, if `source` keeps it.
    ///
    /// It must be an object, because its identity shows that it is the kept one. The call must be on the resolver that registered the alias.
    /// Another one may have its own registration of the source.
    @inline(never)
    private func share(
        _ memory: ServiceMemory, of alias: AnyResolverRegistration, in resolver: Resolver,
        keptFor source: AnyResolverRegistration
    ) {
        // Only code of an actor may use a form whose conformance belongs to that actor. A cast checks this.
        if resolver.owner === alias.owner, source.owner === alias.owner, source.isDirect, alias.isObject(memory),
            !TypeMetadata.isIsolated(at: memory.address, of: alias.serviceType),
            let form = alias.pack(memory, .strong)
        {
            alias.share(form, of: alias.object(memory), keptFor: source)
        }
    }

    override func existing<Service>(
        registration: ResolverRegistration<Service>, resolver: Resolver
    ) -> Service? {
        guard let found = findSource(resolver) else { return nil }
        // An alias that stands for no service has no instance.
        if found.isAlias, (try? registration.requireService(behind: found, resolver)) == nil { return nil }
        // Unwrapped first: a cast of nil to `Any` or `AnyObject` returns a value.
        return found.existing(resolver).flatMap { $0 as? Service }
    }

    fileprivate func findSource(_ resolver: Resolver) -> AnyResolverRegistration? {
        resolver.findWithOverrides(source, isUse: false)
    }
}

extension AnyResolverRegistration {
    /// Whether the call may have the object in the memory by the alias's protocol: its conformance may belong to an actor. Otherwise the
    /// memory is emptied.
    ///
    /// The cast of the factory would check the actor, but an optimizer that knows both types replaces this cast by its result.
    @inline(__always)
    fileprivate final func mayHandOut(_ memory: ServiceMemory) -> Bool {
        TypeMetadata.isIsolated(at: memory.address, of: serviceType) && isObject(memory) ? castAgain(memory) : true
    }

    @inline(never)
    private final func castAgain(_ memory: ServiceMemory) -> Bool {
        let object = object(memory)
        empty(memory)
        return unbox(object, into: memory)
    }

    /// Returns the service that an alias stands for in a resolver; this registration if it is no alias, or stands for no service.
    final func source(in resolver: Resolver) -> AnyResolverRegistration {
        guard let scope = scope as? AliasScope, let found = scope.findSource(resolver) else { return self }
        return (try? requireService(behind: found, resolver)) ?? self
    }

    /// Whether this registration is an alias that stands for no service in a resolver.
    final func isAliasOfNothing(in resolver: Resolver) -> Bool { source(in: resolver).isAlias }

    /// Checks that an alias stands for a service, if its source is another alias, `found`.
    ///
    /// - Returns: the service, or the last alias if nothing is registered behind it.
    /// - Throws: `.circularDependency` if the aliases stand for each other.
    @discardableResult
    final func requireService(
        behind found: AnyResolverRegistration, _ resolver: Resolver
    ) throws(ResolutionError) -> AnyResolverRegistration {
        var path = [self]
        var next: AnyResolverRegistration? = found
        while let alias = next, let scope = alias.scope as? AliasScope {
            let isKnown = path.contains { $0 === alias }
            path.append(alias)
            if isKnown { throw .dependencyCycle(path.drop { $0 !== alias }.map(ResolutionStep.registration)) }
            next = scope.findSource(resolver)
        }
        return next ?? path[path.count - 1]
    }
}
