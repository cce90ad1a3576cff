/// What `register` returns: modifiers for the registration just made.
///
///     register { NetworkClient() }
///         .implements(API.self)
///         .scope(.application)
///
/// Use modifiers where you register. They take effect at once, for every caller. For an instance that is kept already,
/// `onRelease`, `resolveProperties` and `registration.update` come too late: they are for the next one.
public struct ResolverOptions<Service>: Sendable {
    /// The registration that is modified.
    public var registration: ResolverRegistration<Service>

    @_alwaysEmitIntoClient
    init(_ registration: AnyResolverRegistration) {
        self.registration = registration.typed()
    }

    /// Lets the service be resolved as a protocol, or superclass, as well.
    ///
    /// The second registration stands for this one: it hands out the same instance, wherever this one's scope keeps it,
    /// and passes arguments and names on. If the service turns out not to be a `Protocol`, it is not resolved.
    ///
    /// - Parameter name: the name to ask for the protocol by; it need not be the service's.
    /// - Returns: the options of the service itself.
    @_alwaysEmitIntoClient
    @discardableResult
    public func implements<Protocol>(
        _ type: Protocol.Type, name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        addAlias(type, name, fileID, line) { service, memory in
            memory.put(service.service() as Service as? Protocol)
        }
        return self
    }

    /// - Parameter convert: puts the service in the first memory, as the other type, into the second one, if it has that type.
    @usableFromInline
    func addAlias<Protocol>(
        _ type: Protocol.Type, _ name: Resolver.Name?, _ fileID: StaticString, _ line: UInt,
        _ convert: @escaping @Sendable (ServiceMemory, ServiceMemory) -> Bool
    ) {
        let scope = AliasScope(source: registration.serviceKey, service: registration.service)
        let plan = RegistrationPlan({ try scope.make($0, $1, into: $2, convert) }, scope)
        registration.owner.table?.put(
            ResolverRegistration<Protocol>(
                key: ServiceKey(type, name), isAlias: true, location: SourceLocation(fileID: fileID, line: line),
                owner: registration.owner, plan: plan))
    }

    /// Completes each new instance; `block` gets the resolver that was asked, and the instance.
    ///
    /// Runs after the factory, never for a kept instance; several blocks run in order. An object is part of the
    /// resolution cycle by then, so what `block` resolves may refer back to it: this is how two services can need each
    /// other.
    @discardableResult
    public func resolveProperties(_ block: @escaping ResolverIsolatedMutator<Service>) -> ResolverOptions<Service> {
        let isolation = block.isolation
        let block = Isolation.assumed(block)
        registration.addCompletion(isolation) { resolver, _, memory in try block(resolver, memory.service()) }
        return self
    }

    /// Completes each new instance; `block` gets the arguments of the call as well.
    @discardableResult
    public func resolveProperties(
        _ block: @escaping ResolverIsolatedMutatorArgumentsN<Service>
    ) -> ResolverOptions<Service> {
        let isolation = block.isolation
        let block = Isolation.assumed(block)
        registration.addCompletion(isolation) { resolver, args, memory in
            try block(resolver, memory.service(), Resolver.Args(args.value))
        }
        return self
    }
}

extension AnyResolverRegistration {
    fileprivate final func addCompletion(
        _ isolation: (any Actor)?, _ completion: @escaping RegistrationSettings.Completion
    ) {
        replacePlan { plan in
            plan.with { settings in
                settings.completions.append(completion)
                if let isolation { settings.isolations.append(isolation) }
            }
        }
    }
}
