/// The scope of what `.implements` registers: the instance is kept by the scope of the service that it stands for, and
/// this one gets it from there and sees to it that hits need not ask.
final class AliasScope: ResolverScope, @unchecked Sendable {
    /// What the alias stands for, in the resolver in which the alias is registered.
    let source: ServiceKey
    let service: ObjectIdentifier

    init(source: ServiceKey, service: ObjectIdentifier) {
        self.source = source
        self.service = service
    }

    override var described: Lifetime { .alias(Unretained(self)) }
    override var isBuiltIn: Bool { true }

    func instance(
        of registration: AnyResolverRegistration, _ resolver: Resolver, _ args: PassedArguments,
        into memory: ServiceMemory
    ) throws -> Bool {
        guard try registration.make(resolver, args, into: memory) else { return false }
        // Another resolver that was asked may have a registration of its own to stand for, hence only where it is
        // registered; and only objects, whose identity shows that this is the one that is kept.
        if resolver.owner === registration.owner, let source = resolver.table.find(source) {
            source.use { source in
                if source.isDirect, source.ownCell != nil, registration.isObject(memory),
                    let face = registration.pack(memory, .strong)
                {
                    registration.share(face, of: registration.object(memory), keptFor: source)
                }
            }
        }
        return true
    }

    /// The factory of the alias: the service that it stands for, from wherever that is kept.
    ///
    /// - Parameter convert: see `ResolverOptions.addAlias`.
    func make(
        _ resolver: Resolver, _ args: PassedArguments, into memory: ServiceMemory,
        _ convert: (ServiceMemory, ServiceMemory) -> Bool
    ) throws -> Bool {
        let cycle = ResolutionCycle.current
        let alias = cycle.innermost
        let awaited = cycle.awaited(source, as: service, insteadOf: alias)
        guard let found = awaited ?? resolver.findSeen(source, as: service) else {
            resolver.noteNothingFound(source, as: service)
            return try alias?.obtainAnewIfGone(resolver, args, into: memory) ?? false
        }
        if awaited == nil, found.isAlias, let alias { try alias.requireService(behind: found, resolver) }
        cycle.setTarget(found, insteadOf: alias)
        return try found.withMemory { service in
            guard try found.obtainAwaited(through: resolver, args, into: service) else {
                return try alias?.obtainAnewIfGone(resolver, args, into: memory) ?? false
            }
            Resolver.decorateIfAsked(found.value(service))
            return convert(service, memory)
        }
    }

    override func existing<Service>(
        registration: ResolverRegistration<Service>, resolver: Resolver
    ) -> Service? {
        guard let found = findSource(resolver) else { return nil }
        // An alias that stands for no service has none.
        if found.isAlias, (try? registration.requireService(behind: found, resolver)) == nil { return nil }
        return found.existing(resolver) as? Service
    }

    fileprivate func findSource(_ resolver: Resolver) -> AnyResolverRegistration? {
        resolver.findSeen(source, as: service)
    }
}

extension AnyResolverRegistration {
    /// For an alias that stands for another, `found`: aliases may stand for each other as long as one stands for a service.
    ///
    /// - Throws: `.circularDependency`.
    final func requireService(behind found: AnyResolverRegistration, _ resolver: Resolver) throws(ResolutionError) {
        var path = [self]
        var next: AnyResolverRegistration? = found
        while let alias = next, let scope = alias.scope as? AliasScope {
            let isKnown = path.contains { $0 === alias }
            path.append(alias)
            if isKnown { throw .circle(path.drop { $0 !== alias }.map(ResolutionStep.registration)) }
            next = scope.findSource(resolver)
        }
    }
}
