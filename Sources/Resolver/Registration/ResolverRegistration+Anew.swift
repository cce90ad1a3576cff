// Calls that go on with something else than they have found: another registration, or what they have waited for.

extension ResolverRegistration {
    /// The service, or what the call has waited for if it has, whatever is registered by now. A scope of the user is asked again.
    @inline(__always)
    func obtainAwaited(through resolver: Resolver, _ args: PassedArguments) throws -> Service? {
        isAwaited ? try obtainAfterWaiting(resolver, args) : try obtain(through: resolver, args)
    }

    @inline(never)
    private func obtainAfterWaiting(_ resolver: Resolver, _ args: PassedArguments) throws -> Service? {
        let cycle = ResolutionCycle.current
        guard let pass = cycle.pass(for: self), pass.hasWaited(for: self) else {
            return try obtain(through: resolver, args)
        }
        switch plan.scopeShortcut {
        case .make, .shareInCycle:
            // It was kept when it was waited for.
            guard let awaited = try cycle.awaited(self, argumentKey(args.value)) else { break }
            return try awaited.get().map(ResolverRegistration.unpack) ?? cycle.nothing(of: self)
        case .context:
            // It was made for this call alone, before it was for a scope, which may be missing.
            if cycle.hasMade(for: self) {
                return try make(resolver: resolver, args: args.value)
            }
        case .look, .ask, .overridden: break
        }
        return plan.shortcut == .overridden ? try askScope(resolver, args) : try obtain(through: resolver, args)
    }

    /// For an alias that comes back with nil: the service from what is found now, if both it and what it stood for were removed
    /// after it had been found.
    func obtainAnewIfGone(_ resolver: Resolver, _ args: PassedArguments) throws -> Service? {
        isReplaced && ResolutionCycle.current.hasFoundNothing ? try obtainAnew(resolver, args.value) : nil
    }

    /// The service from what is found now that this registration is no longer in its resolver, or has another scope.
    func obtainAnew(_ resolver: Resolver, _ args: Any?) throws -> Service? {
        let cycle = ResolutionCycle.current
        try cycle.requireStack(for: self)
        let found = resolver.find(serviceKey, of: Service.self)
        if let found { cycle.setTarget(found, insteadOf: self) }
        let service = try cycle.startingOver {
            try PassedArguments.with(args) { try resolver.obtain(found, serviceKey, $0) }
        }
        if service == nil { cycle.noteNil(ofSuccessorOf: self) }
        return service
    }
}
