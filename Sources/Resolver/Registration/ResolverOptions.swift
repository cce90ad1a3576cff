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

// How long an instance lives, and who shares it.

extension ResolverOptions {
    /// Sets the scope: how long an instance lives, and who shares it. The last call wins.
    @discardableResult
    public func scope(_ scope: ResolverScope) -> ResolverOptions<Service> {
        registration.setScope(scope)
        return self
    }

    /// Sets a scope that conforms to the protocol without deriving from `ResolverScope`.
    @discardableResult
    public func scope(_ scope: any ResolverScopeType) -> ResolverOptions<Service> {
        registration.setScope(scope)
        return self
    }

    /// Sets for how long a kept instance is handed out. For one that is kept already, the time is counted from its next use.
    ///
    /// The first call after that time releases it and makes another; what was handed out before lives on with its
    /// holders. Nothing happens by itself when the time is over: see `Resolver.purgeExpired()`. Has no effect in scopes
    /// that keep nothing, `unique` and `graph`.
    ///
    /// - Parameters:
    ///   - seconds: how long; an instance that is exactly so old is not handed out any more.
    ///   - start: what the time is counted from. By default each use of the instance prolongs it.
    @discardableResult
    public func timeToLive(
        _ seconds: Double, from start: Resolver.TimeToLiveStart = .lastUse
    ) -> ResolverOptions<Service> {
        let time = TimeToLive(nanoseconds: ResolverClock.nanoseconds(in: seconds), start: start)
        registration.replacePlan { $0.with { $0.timeToLive = time } }
        registration.restartTimes()
        return self
    }

    /// Sets for how long a kept instance is handed out. See `timeToLive(_:from:)` with seconds for the details.
    @available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
    @discardableResult
    public func timeToLive(
        _ duration: Duration, from start: Resolver.TimeToLiveStart = .lastUse
    ) -> ResolverOptions<Service> {
        timeToLive(duration.inSeconds, from: start)
    }

    /// Keeps one instance for each value of the arguments, instead of one for all.
    ///
    ///     register { (_, args) in Page(number: args()) }.scope(.cached).scopeOnArguments()
    ///
    /// The arguments passed to `resolve(args:)` must be `Hashable`, keyed arguments each of them; a call with others is an
    /// error, `argumentNotHashable`. They are compared by `==` and by type, on whatever thread asks. Has no effect in
    /// scopes that keep nothing, `unique` and `graph`. A call without arguments has an instance of its own.
    @discardableResult
    public func scopeOnArguments() -> ResolverOptions<Service> {
        scopeOnArguments { try Self.required(ArgumentKey.of(any: $0), of: $0) }
    }

    /// Keeps one instance for each value of the single argument, whose type the compiler checks to be `Hashable`. A call with an
    /// argument of another type is an error, `wrongArgumentType`.
    @discardableResult
    public func scopeOnArguments<Argument: Hashable & SendableMetatype>(_ type: Argument.Type) -> ResolverOptions<
        Service
    > {
        scopeOnArguments {
            let argument: Argument = try Resolver.Args($0).tryGet()
            return try Self.required(ArgumentKey.of(argument), of: argument)
        }
    }

    private func scopeOnArguments(
        _ key: @escaping @Sendable (_ argument: Any) throws -> ArgumentKey
    ) -> ResolverOptions<Service> {
        registration.replacePlan { $0.with { $0.argumentKey = key } }
        registration.releaseInstances(includingShared: true)
        return self
    }

    private static func required(_ key: ArgumentKey?, of argument: Any) throws -> ArgumentKey {
        guard let key else {
            throw ResolutionError.argument(.argumentNotHashable, Messages.argumentNotHashable(argument))
        }
        return key
    }

    /// Has `hook` run when the keeper of an instance lets go of it. Add it where you register: an instance that was kept
    /// before has no hook.
    ///
    /// That is once for each instance that was kept: when its scope is reset, when it is replaced by another registration
    /// or its time to live is over, and when its resolver ends. Where several are let go of at once, the youngest comes
    /// first; several hooks of one registration run in the order in which they were added. Scopes that keep nothing, or
    /// hold weakly (`unique`, `graph`, `shared`), let go of nothing.
    ///
    /// It runs on the thread that causes it, outside every lock, and may resolve, register and reset. An error that it
    /// throws goes to `Resolver.report`; the other hooks run all the same.
    @discardableResult
    public func onRelease(
        _ hook: @escaping @Sendable (_ instance: Service) throws -> Void
    ) -> ResolverOptions<Service> {
        onRelease { instance, _ in try hook(instance) }
    }

    /// Adds a release hook that is told why the instance is released, so that one hook commits or rolls back. It is called as one without
    /// the reason is.
    @discardableResult
    public func onRelease(
        _ hook: @escaping @Sendable (_ instance: Service, _ reason: ReleaseReason) throws -> Void
    ) -> ResolverOptions<Service> {
        let place = ResolutionStep.registration(registration).hop
        return onRelease(
            .now { instance, reason in
                do {
                    try hook(ResolverRegistration<Service>.unpack(instance), reason)
                } catch {
                    Resolver.reportInTest(.releaseFailed(place, error))
                }
            })
    }

    /// Adds a release hook that is awaited.
    ///
    /// The asynchronous `withScope` and the functions whose names end in `AndWait` wait for it. Everywhere else it runs in a
    /// task of its own, and hooks added after it run there when it is done. The task is not cancelled with the one that
    /// causes it.
    @discardableResult
    public func onRelease(
        _ hook: @escaping @Sendable (_ instance: Service) async throws -> Void
    ) -> ResolverOptions<Service> where Service: Sendable {
        onRelease { instance, _ async throws in try await hook(instance) }
    }

    /// Adds a release hook that is awaited, and is told why the instance is released.
    @discardableResult
    public func onRelease(
        _ hook: @escaping @Sendable (_ instance: Service, _ reason: ReleaseReason) async throws -> Void
    ) -> ResolverOptions<Service> where Service: Sendable {
        let place = ResolutionStep.registration(registration).hop
        return onRelease(
            .awaited { instance, reason in
                do {
                    try await hook(ResolverRegistration<Service>.unpack(instance), reason)
                } catch {
                    Resolver.reportInTest(.releaseFailed(place, error))
                }
            })
    }

    private func onRelease(_ hook: ReleaseHooks.Hook) -> ResolverOptions<Service> {
        registration.replacePlan { $0.with { $0.releaseHooks.hooks.append(hook) } }
        return self
    }
}
