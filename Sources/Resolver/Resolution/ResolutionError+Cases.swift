// One function for each error code. Each gathers the facts that the message needs; `Messages` has the text.

extension ResolutionError {
    /// Returns the error for a service that only a hidden scope has registered.
    static func hidden(
        _ type: Any.Type, _ name: Resolver.Name?, in scope: ScopeHandle, _ hop: Hop, from consumer: Hop,
        at callSite: SourceLocation
    ) -> ResolutionError {
        let headline = Messages.hidden(type, name, hop, in: scope.label, of: scope.kind, from: consumer)
        return ResolutionError(.notRegistered, headline, of: hop, at: callSite)
    }

    /// Returns the error of a call that got nil.
    static func ofNil(_ result: NilResult, at callSite: SourceLocation) -> ResolutionError {
        let type = result.serviceType, name = result.key.name
        if !result.isFromFactory {
            let headline = Messages.scopeDeclined(type, name, result.requiredScope)
            return ResolutionError(.scopeDeclined, headline, of: result.hop, at: callSite)
        }
        let headline = result.isAlias ? Messages.aliasIsNil(type, name) : Messages.returnedNil(type, name)
        return ResolutionError(.factoryReturnedNil, headline, of: result.hop, at: callSite)
    }

    /// Returns `error`, which the engine has thrown, with the call site.
    @inline(never)
    static func ofCall(_ error: any Error, _ fileID: StaticString, _ line: UInt) -> ResolutionError {
        (error as! ResolutionError).asked(at: SourceLocation(fileID: fileID, line: line))
    }

    /// Returns the error for `error`, which the factory has thrown, or a completion if `isMade`. The registration is on the path.
    static func factoryFailed(
        _ registration: AnyResolverRegistration, _ error: any Error, isMade: Bool
    ) -> ResolutionError {
        let headline = Messages.failed(registration.serviceType, registration.serviceKey.name, error, isMade: isMade)
        return ResolutionError(
            .factoryFailed, headline: headline, subject: registration.hop, path: ResolutionCycle.current.path(),
            underlying: error)
    }

    static func cacheIsContainer(_ registration: AnyResolverRegistration) -> ResolutionError {
        ResolutionError(.scopeFailed, Messages.cacheIsContainer(registration.hop), of: registration.hop)
    }

    /// Returns the error for `error`, which the scope of a registration has thrown: one of the engine, or the scope's own.
    static func ofScope(_ registration: AnyResolverRegistration, _ error: any Error) -> ResolutionError {
        if let error = error as? ResolutionError { return error }
        let hop = registration.hop
        return ResolutionError(.scopeFailed, Messages.scopeFailed(hop, error), of: hop, underlying: error)
    }

    static func releaseFailed(_ hop: Hop, _ error: any Error) -> ResolutionError {
        ResolutionError(
            .releaseFailed, headline: Messages.releaseFailed(hop, error), subject: hop, path: [hop], underlying: error)
    }

    static func dependencyCycle(_ steps: [ResolutionStep]) -> ResolutionError {
        let path = steps.map(\.hop)
        let unique = steps.first { step in
            guard let registration = step.registration, !TypeMetadata.isValue(registration.serviceType) else {
                return false
            }
            return registration.withPlan { $0.lifetime.isTransient && !$0.settings.completions.isEmpty }
        }
        return ResolutionError(
            .circularDependency, headline: Messages.dependencyCycle(path, unique: unique?.hop),
            subject: path[path.count - 1], path: path)
    }

    static func tooDeepInTask(_ path: [Hop]) -> ResolutionError {
        ResolutionError(.tooDeep, headline: Messages.tooDeepInTask(path), subject: path[path.count - 1], path: path)
    }

    /// - Parameter isOnPath: whether the registration is on the path already, because its factory was called.
    static func requiresAsync(_ registration: AnyResolverRegistration, isOnPath: Bool = false) -> ResolutionError {
        requiresAsync(registration.hop, reasonNotKept(registration), isOnPath: isOnPath)
    }

    /// Returns the reason why a scope has no instance of an asynchronous service.
    private static func reasonNotKept(_ registration: AnyResolverRegistration) -> String {
        let lifetime = registration.keepingLifetime(registration.plan)
        if lifetime.isTransient || lifetime.isPerCycle { return Messages.neverKept }
        if case .cached(let store) = lifetime, store.object.strength == .weak {
            // A value cannot be held weakly. A protocol may stand for one.
            let type = registration.serviceType
            if !TypeMetadata.isClass(type), !TypeMetadata.isClassBound(type) {
                return TypeMetadata.isValue(type) ? Messages.neverKept : Messages.notKept
            }
        }
        if let time = registration.plan.timeToLive, time.nanoseconds <= 0 { return Messages.neverKept }
        guard let kind = lifetime.context?.kind else { return Messages.notKeptYet }
        guard let scope = ScopeContext.shared.current(kind) else { return Messages.notKept(without: kind) }
        guard let consumer = ResolutionCycle.current.consumer(hiding: scope) else { return Messages.notKeptYet }
        return Messages.notKept(in: kind, hiddenFrom: consumer.hop)
    }

    @inline(never)
    static func requiresAsync(
        _ hop: Hop, _ reason: String = Messages.notKeptYet, isOnPath: Bool = false
    ) -> ResolutionError {
        ResolutionError(
            .requiresAsync, headline: Messages.requiresAsync(hop, reason), subject: hop,
            path: ResolutionCycle.current.path() + (isOnPath ? [] : [hop]))
    }

    @inline(never)
    static func scopeEnded(_ making: ResolutionStep) -> ResolutionError {
        ResolutionError(
            .scopeEnded, headline: Messages.scopeEnded(making.hop), subject: making.hop, path: [making.hop])
    }

    /// Returns the error for a scope that ended while it was being prepared.
    static func scopeEnded(_ scope: ScopeHandle) -> ResolutionError {
        ResolutionError(
            .scopeEnded, headline: Messages.replacementEnded(scope.label),
            subject: Hop(service: scope.label, name: nil, location: nil), path: [], callSite: scope.owner.location)
    }

    static func wrongIsolation(_ registration: AnyResolverRegistration, actor: any Actor) -> ResolutionError {
        let hop = registration.hop
        let names = registration.plan.settings.isolations.map { TypeName.qualified(type(of: $0)) }
        let headline =
            names.count > 1
            ? Messages.severalActors(hop, names, isAsync: registration.plan.isAsync)
            : Messages.wrongIsolation(hop, actor: TypeName.qualified(type(of: actor)))
        return ResolutionError(.wrongIsolation, headline, of: hop)
    }

    static func argument(_ code: Code, _ problem: String) -> ResolutionError {
        let path = ResolutionCycle.current.path()
        let subject = path.last ?? Hop(service: Messages.noService, name: nil, location: nil)
        return ResolutionError(
            code, headline: Messages.cannot(resolve: subject) + problem, subject: subject, path: path)
    }

    @inline(never)
    static func hop(_ type: Any.Type, _ name: Resolver.Name?, _ location: SourceLocation? = nil) -> Hop {
        Hop(service: TypeName.qualified(type), name: name?.rawValue, location: location)
    }

    /// Creates the error of a call for `subject`, which is the next step of the path.
    private init(
        _ code: Code, _ headline: String, of subject: Hop, at callSite: SourceLocation? = nil,
        underlying: (any Error)? = nil
    ) {
        self.init(
            code, headline: headline, subject: subject, path: ResolutionCycle.current.path() + [subject],
            callSite: callSite, underlying: underlying)
    }
}

extension AnyResolverRegistration {
    final var hop: ResolutionError.Hop { laterHop() }

    /// Returns the hop when it is called, because writing the name of a type takes time. Does not hold the registration.
    final var laterHop: @Sendable () -> ResolutionError.Hop {
        { [serviceType, name = serviceKey.name, location] in ResolutionError.hop(serviceType, name, location) }
    }
}

/// The reason why a call returned nil. It copies what its error needs, because the registration may have been removed by then.
final class NilResult: Sendable {
    let key: ServiceKey
    let location: SourceLocation
    let isAlias: Bool
    /// The kind of scope that must be open, if there is one.
    let requiredScope: ScopeKind?
    /// Whether the factory ran and returned nil. Otherwise the scope returned nil without calling it.
    let isFromFactory: Bool

    init(of registration: AnyResolverRegistration, isFromFactory: Bool) {
        key = registration.serviceKey
        location = registration.location
        isAlias = registration.isAlias
        requiredScope = registration.plan.lifetime.context?.kind
        self.isFromFactory = isFromFactory
    }

    var serviceType: Any.Type { TypeMetadata.type(of: key.service) }
    var hop: ResolutionError.Hop { ResolutionError.hop(serviceType, key.name, location) }
}
