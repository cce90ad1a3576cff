extension AnyResolverRegistration {
    /// The plan of the moment.
    final var plan: RegistrationPlan {
        Unmanaged.fromWord(planWord.load()).unsafelyUnwrapped.takeUnretainedValue()
    }

    /// Calls `body` with the plan of the moment. The word holds a reference, and a plan keeps its predecessors, so a plan once
    /// read stays as long as `self` does.
    @inline(__always)
    final func withPlan<Result>(_ body: (RegistrationPlan) throws -> Result) rethrows -> Result {
        try Unmanaged.fromWord(planWord.load()).unsafelyUnwrapped._withUnsafeGuaranteedRef(body)
    }

    final func replacePlan(_ change: (RegistrationPlan) -> RegistrationPlan) {
        owner.modify {
            let old = Unmanaged<RegistrationPlan>.fromWord(planWord.load()).unsafelyUnwrapped
            let new = change(old.takeUnretainedValue())
            new.previous = old.takeRetainedValue()
            planWord.store(Unmanaged.passRetained(new).word)
        }
    }

    /// What the plan says about the instances.
    final var settings: RegistrationSettings { plan.settings }

    /// Whether a kept instance answers every call until it is let go of.
    final var isUnconditional: Bool { withPlan { $0.isUnconditional } }

    /// From now on, asks the current scopes first.
    ///
    /// - Returns: what the caller releases outside of every lock.
    final func checkScopeOverrides() -> FastSlots.Invalidated? {
        if !plan.settings.hasScopeOverride { replacePlan { $0.with { $0.hasScopeOverride = true } } }
        // Another thread that has done so may not have come here yet.
        return ownCell?.takeSlots()
    }
}
