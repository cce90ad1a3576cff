extension AnyResolverRegistration {
    /// What the store of a built-in scope keeps for a call: the scope, if it were asked, would answer the same.
    ///
    /// - Parameter keeper: the isolating resolver that keeps what is made for this call, if one does.
    final func look(
        in store: InstanceStore, _ plan: RegistrationPlan, _ resolver: Resolver, _ args: PassedArguments,
        keeper: Unretained<RegistrationOwner>?
    ) -> AnyObject? {
        if isAwaited { return nil }
        if plan.isUnconditional, store.strength == .strong { return hit(in: store, keeper: keeper) }
        let isOwn = (keeper?.refers(to: owner) ?? true) && !owner.isScope
        let isOfAllArguments = plan.isUnconditional || plan.settings.argumentKey == nil
        if isOwn, isOfAllArguments, let cell = ownCell, cell.store === store {
            guard !plan.isUnconditional, let time = plan.timeToLive else { return cell.kept }
            return cell.kept(ExpiryTimer(time, keeper: owner), isUse: true)
        }
        return store.kept(for: self, resolver: resolver, args: args, keeper: keeper, isUse: true)
    }

    /// What `scope`, one of a context, keeps, if hits are answered.
    final func look(in context: PerContextScope, _ scope: ScopeHandle, _ plan: RegistrationPlan) -> AnyObject? {
        guard plan.isUnconditional, !isAwaited else { return nil }
        if scope.owner === owner { return hit(in: context.store, keeper: nil) }
        return scope.row.search(number, context.storeNumber)?.slot.take()?.takeRetainedValue()
    }

    /// Whether a task asks that has waited for it: what it was given comes before what is kept by now.
    @inline(__always)
    final var isAwaited: Bool { TaskResolutionCycle.areThereAny && ResolutionCycle.current.pass(for: self) != nil }

    /// What `store` keeps, if hits are answered without asking it.
    @inline(__always)
    private final func hit(in store: InstanceStore, keeper: Unretained<RegistrationOwner>?) -> AnyObject? {
        if let keeper, !keeper.refers(to: owner) {
            return keeper.use { $0.isolatedRow?.search(number, store.number)?.slot.take()?.takeRetainedValue() }
        }
        return ownCell?.store === store ? slot.take()?.takeRetainedValue() : nil
    }
}
