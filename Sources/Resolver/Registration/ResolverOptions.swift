/// Modifiers of a registration, as returned by `register`.
///
///     register { NetworkClient() }
///         .implements(API.self)
///         .scope(.application)
///
/// Use modifiers where you register. They take effect at once, for every caller. `onRelease`, `resolveProperties` and
/// `registration.update` do not affect an instance that is kept already.
public struct ResolverOptions<Service>: Sendable {
    /// The modified registration.
    public var registration: ResolverRegistration<Service>

    @_alwaysEmitIntoClient
    init(_ registration: AnyResolverRegistration) { self.registration = registration.typed() }

    /// Adds a protocol or superclass by which the service can be resolved.
    ///
    /// The added registration is an alias: it returns the instance that the scope of this registration keeps, and passes
    /// arguments on. If the service is not a `Protocol`, a call by the alias gets no service.
    ///
    /// - Parameter name: the name for the protocol. It may differ from the name of the service.
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

    /// - Parameter convert: puts the service of the first memory into the second as the other type, if it has that type.
    @usableFromInline
    func addAlias<Protocol>(
        _ type: Protocol.Type, _ name: Resolver.Name?, _ fileID: StaticString, _ line: UInt,
        _ convert: @escaping @Sendable (ServiceMemory, ServiceMemory) -> Bool
    ) {
        let scope = AliasScope(source: registration.serviceKey, convert)
        registration.owner.table?.put(
            ResolverRegistration<Protocol>(
                type: ObjectIdentifier(type), name: name, location: SourceLocation(fileID: fileID, line: line),
                owner: registration.owner, factory: .none, plan: RegistrationPlan(scope)))
    }

    /// Adds a block that completes each new instance. `block` gets the resolver of the call and the instance.
    ///
    /// `block` runs after the factory, and not for a kept instance. Several blocks run in order. A new object is part of the
    /// resolution cycle before `block` runs, so services that `block` resolves may refer back to the object. Two services can
    /// depend on each other in this way.
    @discardableResult
    public func resolveProperties(_ block: @escaping ResolverIsolatedMutator<Service>) -> ResolverOptions<Service> {
        let isolation = block.isolation
        let block: Completing<Service>.Assumed = Isolation.assumed(Completing.Isolated(call: block))
        registration.addCompletion(isolation) { call in try block.call(call.resolver, call.memory.service()) }
        return self
    }

    /// Adds a block that completes each new instance. `block` also gets the arguments of the call.
    @discardableResult
    public func resolveProperties(
        _ block: @escaping ResolverIsolatedMutatorArgumentsN<Service>
    ) -> ResolverOptions<Service> {
        let isolation = block.isolation
        let block: CompletingWithArguments<Service>.Assumed = Isolation.assumed(
            CompletingWithArguments.Isolated(call: block))
        registration.addCompletion(isolation) { call in
            try block.call(call.resolver, call.memory.service(), Resolver.Args(call.args))
        }
        return self
    }
}

extension AnyResolverRegistration {
    fileprivate final func addCompletion(
        _ isolation: (any Actor)?, _ completion: @escaping RegistrationSettings.Completion
    ) {
        changeSettings { settings in
            settings.completions.append(completion)
            if let isolation, !settings.isolations.contains(where: { $0 === isolation }) {
                settings.isolations.append(isolation)
            }
        }
    }
}

// Scope, time to live, and release.

extension ResolverOptions {
    /// Sets the scope, which decides how long an instance lives and which calls share it. The last call wins.
    @discardableResult
    public func scope(_ scope: ResolverScope) -> ResolverOptions<Service> {
        registration.setScope(scope)
        return self
    }

    /// Sets a custom scope that does not derive from `ResolverScope`.
    @discardableResult
    public func scope(_ scope: any ResolverScopeType) -> ResolverOptions<Service> {
        registration.setScope(scope)
        return self
    }

    /// Limits the time for which a kept instance is returned.
    ///
    /// The first call after that time releases the instance and creates a new one; other references to the old one stay valid.
    /// Nothing happens at the moment when the time ends: see `Resolver.purgeExpired()`. The time of an instance that is kept
    /// already counts from its next use. Has no effect in scopes that keep nothing, `unique` and `graph`.
    ///
    /// - Parameters:
    ///   - seconds: the time in seconds. An instance of exactly this age is not returned any more.
    ///   - start: the start of the time. By default each use of the instance restarts the time.
    @discardableResult
    public func timeToLive(
        _ seconds: Double, from start: Resolver.TimeToLiveStart = .lastUse
    ) -> ResolverOptions<Service> {
        let time = TimeToLive(nanoseconds: ResolverClock.nanoseconds(in: seconds), start: start)
        registration.changeSettings { $0.timeToLive = time }
        registration.restartTimes()
        return self
    }

    /// Limits the time for which a kept instance is returned. See the overload with seconds for the details.
    @available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
    @discardableResult
    public func timeToLive(
        _ duration: Duration, from start: Resolver.TimeToLiveStart = .lastUse
    ) -> ResolverOptions<Service> {
        timeToLive(duration.inSeconds, from: start)
    }

    /// Keeps one instance for each value of the arguments, instead of one for all calls.
    ///
    ///     register { (_, args) in Page(number: args()) }.scope(.cached).scopeOnArguments()
    ///
    /// The argument of `resolve(args:)` must be `Hashable`. If the arguments are keyed, each of them must be. Other arguments
    /// cause the error `argumentNotHashable`. Arguments are compared by `==` and by type, on any thread. Has no effect in scopes
    /// that keep nothing, `unique` and `graph`. All calls without arguments share one instance.
    @discardableResult
    public func scopeOnArguments() -> ResolverOptions<Service> {
        scopeOnArguments { try Self.required(ArgumentKey.of(any: $0), of: $0) }
    }

    /// Keeps one instance for each value of the single argument. The compiler checks that its type is `Hashable`.
    ///
    /// All values, including those of a subclass, are compared by `==` of this type. An argument of another type causes the
    /// error `wrongArgumentType`.
    @discardableResult
    public func scopeOnArguments<Argument: Hashable & SendableMetatype>(_ type: Argument.Type) -> ResolverOptions<
        Service
    > {
        scopeOnArguments {
            let argument: Argument
            do throws(ResolutionError) { argument = try Resolver.Args($0).tryGet() } catch {
                let keys = ($0 as? [String: Any?]).map { Array($0.keys).sorted(byText: \.self) } ?? []
                throw ResolutionError.argument(error.code, Messages.wrongKey(of: $0, keys, Argument.self))
            }
            return try Self.required(ArgumentKey.of(argument), of: argument)
        }
    }

    private func scopeOnArguments(
        _ key: @escaping @Sendable (_ argument: Any) throws -> ArgumentKey
    ) -> ResolverOptions<Service> {
        registration.changeSettings { $0.argumentKey = key }
        registration.releaseInstances(includingShared: registration.hasCell)
        return self
    }

    private static func required(_ key: ArgumentKey?, of argument: Any) throws -> ArgumentKey {
        guard let key else {
            throw ResolutionError.argument(.argumentNotHashable, Messages.argumentNotHashable(argument))
        }
        return key
    }

    /// Adds a hook that runs when the scope releases an instance.
    ///
    /// Add the hook where you register, because it does not run for an instance that is kept already. The hook runs once for
    /// each kept instance: when its scope is reset, when its registration is replaced, when a call or a purge finds its time to
    /// live over, and when its resolver ends. When several instances are released at once, the youngest comes first. The hooks
    /// of one registration run in the order in which they were added. Scopes that keep nothing or hold weakly (`unique`,
    /// `graph`, `shared`) run no hooks.
    ///
    /// The hook runs on the thread that causes the release, outside of every lock, and may resolve, register and reset. If the
    /// hook throws an error, `Resolver.report` gets the error, and the other hooks still run.
    @discardableResult
    public func onRelease(
        _ hook: @escaping @Sendable (_ instance: Service) throws -> Void
    ) -> ResolverOptions<Service> {
        onRelease { instance, _ in try hook(instance) }
    }

    /// Adds a release hook that gets the reason of the release, for example to commit or roll back.
    ///
    /// The hook runs in the same cases as a hook without the reason.
    @discardableResult
    public func onRelease(
        _ hook: @escaping @Sendable (_ instance: Service, _ reason: ReleaseReason) throws -> Void
    ) -> ResolverOptions<Service> {
        let hop = registration.laterHop
        return onRelease(
            .now { instance, reason in
                do {
                    try hook(ResolverRegistration<Service>.unpack(instance), reason)
                } catch {
                    Resolver.reportInTest(.releaseFailed(hop(), error))
                }
            })
    }

    /// Adds an asynchronous release hook.
    ///
    /// The asynchronous `withScope` and the functions whose names end in `AndWait` await the hook. Otherwise the hook runs in a
    /// separate task, followed by the hooks that were added after it. The cancellation of the task that causes the release does
    /// not cancel that separate task.
    @discardableResult
    public func onRelease(
        _ hook: @escaping @Sendable (_ instance: Service) async throws -> Void
    ) -> ResolverOptions<Service> where Service: Sendable {
        onRelease { instance, _ async throws in try await hook(instance) }
    }

    /// Adds an asynchronous release hook that gets the reason of the release.
    @discardableResult
    public func onRelease(
        _ hook: @escaping @Sendable (_ instance: Service, _ reason: ReleaseReason) async throws -> Void
    ) -> ResolverOptions<Service> where Service: Sendable {
        let hop = registration.laterHop
        return onRelease(
            .awaited { instance, reason in
                do {
                    try await hook(ResolverRegistration<Service>.unpack(instance), reason)
                } catch {
                    Resolver.reportInTest(.releaseFailed(hop(), error))
                }
            })
    }

    private func onRelease(_ hook: ReleaseHooks.Hook) -> ResolverOptions<Service> {
        registration.changeSettings { $0.releaseHooks.hooks.append(hook) }
        return self
    }
}
