import Resolver

/// The correct results of a trial: those of some order of the call and the callback's action.
struct TrialOracle {
    /// The result of a call after the trial.
    enum Standing: Equatable {
        case plain(Int)
        case asynchronous(Int)
        case onMainActor(Int)
        case emptyFactory
        case nothing
        /// Registered, but only for requests.
        case declined
    }

    let trial: Trial

    private var action: Trial.Action { trial.action }
    private var lifetime: Trial.Lifetime { trial.lifetime }

    private var hasRequest: Bool {
        action != .endsTheRequest && !(trial.callback == .scopeClock && trial.start == .over)
    }

    /// Whether `registerScoped` registers: there is a request, and it is not hidden. It is never hidden from an observer.
    private var registersForRequest: Bool {
        let isInCreation = trial.hand == .itself && trial.callback.hasFactoryRun && trial.callback != .observer
        return action == .registersScoped && hasRequest && !(isInCreation && lifetime.hidesRequests)
    }

    private var changesScope: Bool { action == .changesScope || action == .registersInAnotherScope }

    /// Whether the service's cached instance, or the one that is being created, is released.
    private var resets: Bool {
        switch action {
        case .resetsScopes: lifetime.keeps && lifetime != .application
        case .resetsItsScope, .resetsTheService: lifetime.keeps
        case .replacesTheCache: lifetime == .container
        case .endsTheRequest: lifetime.isOfRequest
        default: action.replaces || action.removes
        }
    }

    /// Whether the action does not affect the service.
    private var isNeutral: Bool { !resets && !changesScope && !registersForRequest }

    /// Whether the result existed when the callback was called.
    private var hasAnswer: Bool {
        switch trial.callback {
        // A creation task returns its instance to all waiters. Other calls may begin again.
        case .asyncFactory: lifetime.keeps && action != .registersScoped
        case .scopeAfter, .decorator: true
        default: trial.callback.hasFactoryRun
        }
    }

    var standing: Standing {
        // An alias of nothing is still registered.
        if action.removes { return action == .unregisters && lifetime == .alias ? .emptyFactory : .nothing }
        if registersForRequest { return .plain(2) }
        if lifetime == .requiredRequest, !hasRequest, !changesScope { return .declined }
        switch action {
        case .registers, .registersInAnotherScope: return .plain(2)
        case .registersAsync: return .asynchronous(2)
        case .registersOnMainActor: return .onMainActor(2)
        case .registersNil: return .emptyFactory
        default: break
        }
        switch trial.callback {
        case .emptyFactory: return .emptyFactory
        case .asyncFactory: return .asynchronous(1)
        default: return .plain(1)
        }
    }

    /// Whether an instance created after the trial is cached.
    var keeps: Bool {
        if registersForRequest { return true }
        if changesScope { return trial.anotherScopeKeeps }
        return lifetime.isOfRequest ? hasRequest : lifetime.keeps
    }

    var keepsStrongly: Bool { keeps && (lifetime != .shared || changesScope || registersForRequest) }

    /// The number of retained products after all calls have ended; nil if it is not specified.
    var heldAfterwards: Int? {
        // A singleton stays if its registration is removed or gets another scope.
        if lifetime == .application, action.removes || action == .changesScope { return nil }
        // The request's instance is cached in addition to the resolver's.
        if registersForRequest { return nil }
        if case .plain = standing, keepsStrongly { return 1 }
        return 0
    }

    /// Returns the failure of the call's result, or nil.
    ///
    /// - Parameter kept: the instance that was cached before.
    func failure(about outcome: TrialWorld.Outcome, kept: Product?) -> String? {
        if trial.call == .existing { return failure(aboutExisting: outcome, kept: kept) }
        if isNeutral, let kept, trial.start == .kept {
            return outcome.product === kept ? nil : "gave \(outcome) instead of the kept instance"
        }
        let isRight =
            switch outcome {
            case .product(let product): isRight(product.registration)
            case .failed(let code): codes.contains(code)
            case .nothing, .unexpected: false
            }
        return isRight ? nil : "gave \(outcome)"
    }

    private func isRight(_ registration: Int) -> Bool {
        if registration == 1 { return trial.callback != .emptyFactory }
        guard registration == 2, !hasAnswer else { return false }
        switch standing {
        case .plain(2): return true
        case .asynchronous(2), .onMainActor(2): return trial.call == .resolveAsync
        default: return false
        }
    }

    /// The errors that an order of the call and the action allows.
    private var codes: Set<ResolutionError.Code> {
        if trial.callback == .emptyFactory { return [.factoryReturnedNil] }
        if trial.callback == .asyncFactory, action == .endsTheRequest, lifetime.isOfRequest { return [.scopeEnded] }
        if hasAnswer { return [] }
        var codes: Set<ResolutionError.Code> = []
        if lifetime == .requiredRequest, !hasRequest { codes.insert(.scopeDeclined) }
        switch standing {
        case .nothing: codes.insert(.notRegistered)
        case .emptyFactory: codes.insert(.factoryReturnedNil)
        case .asynchronous where trial.call != .resolveAsync: codes.insert(.requiresAsync)
        case .onMainActor where trial.call != .resolveAsync: codes.insert(.wrongIsolation)
        default: break
        }
        return codes
    }

    private func failure(aboutExisting outcome: TrialWorld.Outcome, kept: Product?) -> String? {
        switch outcome {
        case .nothing:
            return isNeutral && kept != nil && trial.start == .kept ? "gave nil although an instance is kept" : nil
        case .product(let product):
            if product === kept || product.registration == 1 && action == .resolvesTheSame { return nil }
            return "existing() gave an instance that was not kept"
        case .failed, .unexpected: return "gave \(outcome)"
        }
    }

    /// Returns the failure of the callback's nested call, or nil.
    func failure(aboutNested outcome: TrialWorld.Outcome) -> String? {
        let isRight =
            switch outcome {
            case .product(let product): product.registration == 1
            case .failed(.circularDependency): trial.callback.mayBeInCreation
            case .failed(.requiresAsync): trial.callback == .asyncFactory
            case .failed(.scopeDeclined): lifetime == .requiredRequest && !hasRequest
            default: false
            }
        return isRight ? nil : "the call in the callback gave \(outcome)"
    }

    /// Whether the next call must return the same instance (true), must not (false), or may (nil).
    func isKept(_ answer: Product) -> Bool? {
        if !keeps { return false }
        if isNeutral { return trial.call == .existing && trial.start == .over ? nil : true }
        if answer.registration == 2 { return true }
        if trial.callback.hasFactoryRun, resets { return false }
        return nil
    }

    /// Whether the previously cached instance must not be returned again.
    var releasesCached: Bool { resets || trial.start == .over && trial.callback != .scopeClock }

    /// Whether the result of a call after the trial is correct.
    ///
    /// - Parameter isAnythingKept: whether an instance is cached by then; nil if either is correct.
    func isRight(_ outcome: TrialWorld.Outcome, later call: Trial.Call, isAnythingKept: Bool?) -> Bool {
        switch (standing, outcome) {
        case (.plain(let number), .product(let product)): return product.registration == number
        case (.asynchronous(let number), .product(let product)), (.onMainActor(let number), .product(let product)):
            return product.registration == number && (call == .resolveAsync || isAnythingKept != false)
        case (.asynchronous, .failed(.requiresAsync)), (.onMainActor, .failed(.wrongIsolation)):
            return call != .resolveAsync && isAnythingKept != true
        case (.emptyFactory, .failed(.factoryReturnedNil)), (.nothing, .failed(.notRegistered)),
            (.declined, .failed(.scopeDeclined)):
            return true
        default: return false
        }
    }
}
