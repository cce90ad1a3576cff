import Resolver

extension TrialWorld {
    /// Performs the trial's action, here or on another thread, which has finished when this returns.
    func act() {
        switch trial.hand {
        case .itself: perform()
        case .otherThread: RunningThread { self.request.run { self.perform() } }.join()
        }
    }

    private func perform() {
        switch trial.action {
        case .registers, .registersAsync, .registersOnMainActor, .registersNil, .registersInAnotherScope:
            register(2, by: trial.action)
        case .changesScope: options.value.map(setAnotherScope)
        case .registersScoped: registerScoped()
        case .resetsAll: base.reset(.all)
        case .resetsRegistrations: base.reset(.registrations)
        case .resetsScopes: asked.reset(.scopes)
        case .resetsItsScope: resetScope()
        case .replacesTheCache: base.cache = ResolverScopeCache()
        case .purgesExpired: asked.purgeExpired()
        case .resolvesTheSame: nested.set(ask(.tryResolve))
        case .resolvesAnother: _ = asked.optional(Leaf.self)
        case .endsTheRequest: request.end()
        case .clearsTheSession: ScopeContext.shared.clear(.session)
        case .addsAChild:
            let child = Resolver(), ledger = ledger
            child.register { Product(3, ledger) }.implements((any Role).self)
            base.add(child: child)
        case .dropsAnIsolatingResolver: _ = Resolver(isolating: base).optional(Leaf.self)
        }
    }

    /// Releases everything that outlives the resolvers.
    func end() {
        ledger.interruption.disarm()
        options.set(nil)
        nested.set(nil)
        request.end()
        ScopeContext.shared.clear(.session)
        ResolverScope.application.reset()
    }
}
