/// The scope of what `.implements` registers: the instance is kept by the scope of the service that it stands for, and
/// this one only sees to it that hits need not ask.
final class AliasScope<Source>: ResolverScope, SourceFinding, @unchecked Sendable {
    /// What the alias stands for, in the resolver in which the alias is registered.
    private let source: ServiceKey

    init(source: ServiceKey) {
        self.source = source
    }

    override var isBuiltIn: Bool { true }

    override func instance<Service>(
        of registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
    ) throws -> Service? {
        guard let service = try registration.make(resolver: resolver, args: args) else { return nil }
        // Another resolver that was asked may have a registration of its own to stand for, hence only where it is
        // registered; and only objects, whose identity shows that this is the one that is kept.
        if resolver.owner === registration.owner, registration.isObject(service),
            let face = registration.pack(service, .strong), let source = resolver.table.find(source)
        {
            source._withUnsafeGuaranteedRef { source in
                if source.isDirect { registration.share(face, of: service as AnyObject, keptFor: source) }
            }
        }
        return service
    }

    override func existing<Service>(
        registration: ResolverRegistration<Service>, resolver: Resolver
    ) -> Service? {
        guard let found = resolver.find(source, of: Source.self) else { return nil }
        // An alias that stands for no service has none.
        if found.isAlias, (try? registration.requireService(behind: found, resolver)) == nil { return nil }
        return found.lifetime.scope.existing(registration: found, resolver: resolver) as? Service
    }

    func findSource(_ resolver: Resolver) -> AnyResolverRegistration? { resolver.find(source, of: Source.self) }
}

/// The scope of an alias, whatever it stands for.
private protocol SourceFinding {
    func findSource(_ resolver: Resolver) -> AnyResolverRegistration?
}

extension AnyResolverRegistration {
    /// For an alias that stands for another, `found`: aliases may stand for each other as long as one stands for a service.
    ///
    /// - Throws: `.circularDependency`.
    final func requireService(behind found: AnyResolverRegistration, _ resolver: Resolver) throws(ResolutionError) {
        var path = [self]
        var next: AnyResolverRegistration? = found
        while let alias = next, let scope = alias.lifetime.scope as? any SourceFinding {
            let isKnown = path.contains { $0 === alias }
            path.append(alias)
            if isKnown { throw .circle(path.drop { $0 !== alias }.map(ResolutionStep.registration)) }
            next = scope.findSource(resolver)
        }
    }
}
