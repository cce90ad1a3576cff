extension AnyResolverRegistration {
    /// The plan of the moment.
    final var plan: RegistrationPlan {
        planOfTheMoment.object
    }

    /// The plan of the moment, not retained: it stays as long as the registration does.
    @inline(__always)
    final var planOfTheMoment: Unretained<RegistrationPlan> { publishedPlan.present }

    /// Calls `body` with the plan of the moment.
    @inline(__always)
    final func withPlan<Result>(_ body: (RegistrationPlan) throws -> Result) rethrows -> Result {
        try planOfTheMoment.use(body)
    }

    final func replacePlan(_ change: (RegistrationPlan) -> RegistrationPlan) {
        owner.modify {
            let old = plan
            let new = change(old)
            new.previous = old
            publishedPlan.exchange(new)
        }
    }

    final var scope: any ResolverScopeType { plan.scope }

    final func setScope(_ scope: any ResolverScopeType) {
        let old = plan
        replacePlan { $0.with(scope: scope) }
        releaseInstances(includingShared: false)
        tellScope(old)
    }

    /// Whether a kept instance answers every call until it is let go of.
    final var isUnconditional: Bool { withPlan { $0.isUnconditional } }

    /// From now on, asks the current scopes first.
    ///
    /// - Returns: what the caller releases outside of every lock.
    final func checkScopeOverrides() -> FastSlots.Invalidated? {
        if !plan.hasScopeOverride { replacePlan { $0.with { $0.hasScopeOverride = true } } }
        // Another thread that has done so may not have come here yet.
        return ownCell?.takeSlots()
    }
}
