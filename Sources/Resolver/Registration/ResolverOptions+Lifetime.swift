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
