import Resolver

/// What is right in a trial: what some order of the call and of what the callback does gives.
struct TrialOracle {
    /// What a call finds when the trial is over.
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

    // MARK: What the action does

    /// Whether a request goes on after the trial.
    private var hasRequest: Bool {
        action != .endsTheRequest && !(trial.callback == .scopeClock && trial.start == .over)
    }

    /// Whether `registerScoped` registers anything: there is a request, and it is not hidden.
    private var registersForRequest: Bool {
        action == .registersScoped && hasRequest
            && !(trial.hand == .itself && trial.callback.hasFactoryRun && lifetime.hidesRequests)
    }

    private var changesScope: Bool { action == .changesScope || action == .registersInAnotherScope }

    /// Whether what was kept for the service, or is being made, is not kept any more.
    private var resets: Bool {
        switch action {
        case .resetsScopes: lifetime.keeps && lifetime != .application
        case .resetsItsScope: lifetime.keeps
        case .replacesTheCache: lifetime == .container
        case .endsTheRequest: lifetime.isOfRequest
        default: action.replaces || action.removes
        }
    }

    /// Whether the action has nothing to do with the service.
    private var isNeutral: Bool { !resets && !changesScope && !registersForRequest }

    /// Whether the answer was there when the callback was called.
    private var hasAnswer: Bool {
        switch trial.callback {
        // A flight gives what it has made to all who wait for it. Otherwise the call may begin again.
        case .asyncFactory: lifetime.keeps && action != .registersScoped
        case .scopeAfter, .decorator: true
        default: trial.callback.hasFactoryRun
        }
    }

    var standing: Standing {
        if action.removes { return .nothing }
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

    /// Whether an instance that is made after the trial is kept.
    var keeps: Bool {
        if registersForRequest { return true }
        if changesScope { return trial.anotherScopeKeeps }
        return lifetime.isOfRequest ? hasRequest : lifetime.keeps
    }

    var keepsStrongly: Bool { keeps && (lifetime != .shared || changesScope || registersForRequest) }

    /// How many products are held when all calls have ended and nobody has kept what they gave; nil if that is not said.
    var heldAfterwards: Int? {
        // A singleton stays when its registration goes, or gets another scope.
        if lifetime == .application, action.removes || action == .changesScope { return nil }
        // The instance of the request is kept beside that of the resolver.
        if registersForRequest { return nil }
        if case .plain = standing, keepsStrongly { return 1 }
        return 0
    }

    // MARK: The call

    /// What is wrong with the answer of the call.
    ///
    /// - Parameter kept: the instance that was kept before.
    func complaint(about outcome: TrialWorld.Outcome, kept: Product?) -> String? {
        if trial.door == .existing { return complaint(aboutExisting: outcome, kept: kept) }
        if isNeutral, let kept, trial.start == .kept {
            return outcome.product === kept ? nil : "gave \(outcome) instead of the kept instance"
        }
        let isRight =
            switch outcome {
            case .product(let product):
                isRight(product.registration)
            case .failed(let code): trial.door != .optional && codes.contains(code)
            case .nothing: trial.door == .optional && codes.contains { Trial.areNil.contains($0) }
            case .unexpected: false
            }
        return isRight ? nil : "gave \(outcome)"
    }

    private func isRight(_ registration: Int) -> Bool {
        if registration == 1 { return trial.callback != .emptyFactory }
        guard registration == 2, !hasAnswer else { return false }
        switch standing {
        case .plain(2): return true
        case .asynchronous(2), .onMainActor(2): return trial.door == .resolveAsync
        default: return false
        }
    }

    /// The errors that an order of the two justifies.
    private var codes: Set<ResolutionError.Code> {
        if trial.callback == .emptyFactory { return [.factoryReturnedNil] }
        if trial.callback == .asyncFactory, action == .endsTheRequest, lifetime.isOfRequest { return [.scopeEnded] }
        if hasAnswer { return [] }
        var codes: Set<ResolutionError.Code> = []
        if lifetime == .requiredRequest, !hasRequest { codes.insert(.scopeDeclined) }
        switch standing {
        case .nothing: codes.insert(.notRegistered)
        case .emptyFactory: codes.insert(.factoryReturnedNil)
        case .asynchronous where trial.door != .resolveAsync: codes.insert(.requiresAsync)
        case .onMainActor where trial.door != .resolveAsync: codes.insert(.wrongIsolation)
        default: break
        }
        return codes
    }

    private func complaint(aboutExisting outcome: TrialWorld.Outcome, kept: Product?) -> String? {
        switch outcome {
        case .nothing:
            return isNeutral && kept != nil && trial.start == .kept ? "gave nil although an instance is kept" : nil
        case .product(let product):
            if product === kept || product.registration == 1 && action == .resolvesTheSame { return nil }
            return "existing() gave an instance that was not kept"
        case .failed, .unexpected: return "gave \(outcome)"
        }
    }

    /// What is wrong with what a call for the same service in the callback gave.
    func complaint(aboutNested outcome: TrialWorld.Outcome) -> String? {
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

    // MARK: Afterwards

    /// Whether the next call must hand out the same instance: true, must not: false, or may: nil.
    func isKept(_ answer: Product) -> Bool? {
        if !keeps { return false }
        if isNeutral { return trial.door == .existing && trial.start == .over ? nil : true }
        if answer.registration == 2 { return true }
        if trial.callback.hasFactoryRun, resets { return false }
        return nil
    }

    /// Whether the instance that was kept before must not be handed out any more.
    var letsGoOfKept: Bool { resets || trial.start == .over && trial.callback != .scopeClock }

    /// What a call after the trial gives.
    ///
    /// - Parameter isAnythingKept: whether an instance is kept by then; nil if either is right.
    func isRight(_ outcome: TrialWorld.Outcome, later door: Trial.Door, isAnythingKept: Bool?) -> Bool {
        switch (standing, outcome) {
        case (.plain(let number), .product(let product)): return product.registration == number
        case (.asynchronous(let number), .product(let product)), (.onMainActor(let number), .product(let product)):
            return product.registration == number && (door == .resolveAsync || isAnythingKept != false)
        case (.asynchronous, .failed(.requiresAsync)), (.onMainActor, .failed(.wrongIsolation)):
            return door != .resolveAsync && isAnythingKept != true
        case (.emptyFactory, .failed(.factoryReturnedNil)), (.nothing, .failed(.notRegistered)),
            (.declined, .failed(.scopeDeclined)):
            return true
        default: return false
        }
    }
}

extension Trial {
    /// The errors that `optional` answers by nil.
    static let areNil: Set<ResolutionError.Code> = [.notRegistered, .factoryReturnedNil, .scopeDeclined]
}
