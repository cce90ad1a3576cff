/// The scope of `.scoped(to:)`. Each open scope of a kind keeps one instance.
final class PerContextScope: ResolverScope, @unchecked Sendable {
    private static let all = Guarded<[PerContextScope]>([])

    let kind: ScopeKind
    /// Whether no instance is created without an open scope.
    private let isRequired: Bool
    let store: InstanceStore
    /// The number of the store, copied for fast access.
    let storeNumber: UInt64

    private init(_ kind: ScopeKind, isRequired: Bool) {
        self.kind = kind
        self.isRequired = isRequired
        store = InstanceStore(strength: .strong, rank: kind.rank)
        storeNumber = store.number
        super.init()
    }

    static func of(_ kind: ScopeKind, isRequired: Bool = false) -> PerContextScope {
        all.withLock { all in
            if let known = all.first(where: { $0.kind == kind && $0.isRequired == isRequired }) { return known }
            let new = PerContextScope(kind, isRequired: isRequired)
            all.append(new)
            return new
        }
    }

    /// Returns the scope whose instance of `registration` the call gets, if there is one. It may have ended.
    func scope(for registration: AnyResolverRegistration) -> ScopeHandle? {
        guard let scope = ScopeFrame.innermost(kind) else { return scope(for: registration, insteadOf: nil) }
        // Checked first, because a hidden scope is not used.
        if ResolutionCycle.current.hides(scope) { return nil }
        if scope.endIfExpired(isUse: true) { return self.scope(for: registration, insteadOf: scope) }
        return answer(scope, for: registration)
    }

    @inline(never)
    private func scope(for registration: AnyResolverRegistration, insteadOf expired: ScopeHandle?) -> ScopeHandle? {
        var found = expired
        while true {
            let last = found
            found = ScopeContext.shared.innermost(kind)
            guard let scope = found, scope !== last, !ResolutionCycle.current.hides(scope) else { return nil }
            if !scope.endIfExpired(isUse: true) { return answer(scope, for: registration) }
        }
    }

    /// Returns `scope`, or nil if the registration belongs to another scope alone.
    private func answer(_ scope: ScopeHandle, for registration: AnyResolverRegistration) -> ScopeHandle? {
        !registration.owner.isScope || scope.owner === registration.owner ? scope : nil
    }

    override var described: Lifetime { .perContext(Unretained(self)) }
    override var isBuiltIn: Bool { true }

    /// Puts the instance of the current scope into `memory`, and creates it if there is none.
    @inline(never)
    func resolve(
        _ registration: AnyResolverRegistration, _ resolver: Resolver, _ args: PassedArguments,
        into memory: ServiceMemory
    ) throws -> Bool {
        if let kept = takeKept(of: registration) { return registration.unpack(kept, into: memory) }
        let scope = scope(for: registration)
        if let scope, let kept = registration.takeKept(in: self, scope) {
            return registration.unpack(kept, into: memory)
        }
        return try instance(of: registration, for: scope, resolver, args, into: memory)
    }

    /// Returns the instance that the innermost bound scope keeps for another resolver's registration, if that scope is the one of the
    /// call for certain: no scope is set, hidden or timed.
    @inline(__always)
    private func takeKept(of registration: AnyResolverRegistration) -> TakenReference? {
        guard ScopeFrame.areNoneSet, registration.isUnconditional, ResolutionCycle.current.hidesNone else {
            return nil
        }
        return ScopeFrame.innermostBound(kind)?.use { scope in
            scope.isTimed ? nil : scope.row.search(registration.number, storeNumber)?.slot.take()
        }
    }

    /// Puts the instance of `scope` into `memory`, and creates it if there is none.
    ///
    /// Without a scope, creates an instance that is not kept, or returns false if a scope is required.
    func instance(
        of registration: AnyResolverRegistration, for scope: ScopeHandle?, _ resolver: Resolver,
        _ args: PassedArguments, into memory: ServiceMemory
    ) throws -> Bool {
        guard let scope, !scope.row.isClosed else {
            let cycle = ResolutionCycle.current
            if let awaited = try cycle.awaited(registration, registration.argumentKey(args)) {
                guard let object = try awaited.get() else { return cycle.nothing(of: registration) }
                return registration.unpack(object, into: memory)
            }
            // Another scope may have replaced this one.
            if let scope, let next = self.scope(for: registration), next !== scope {
                return try instance(of: registration, for: next, resolver, args, into: memory)
            }
            // The scope has ended while it was creating the instance, whose properties ask for it.
            if let scope {
                let identity = registration.identity(through: resolver, ownedBy: Unretained(scope.owner))
                if cycle.instance(identity, of: registration, into: memory) { return true }
            }
            ScopeContext.shared.reportMissingScope(kind, for: registration)
            if !isRequired {
                ScopeStatistics.countUnkept(kind)
                return try registration.make(resolver, args, into: memory)
            }
            cycle.declined(registration)
            return false
        }
        // The scope's owner is not retained, because the caller holds the scope.
        defer { scope.reportIfFull() }
        return try store.instance(
            of: registration, resolver, args, ownedBy: Unretained(scope.owner), askedBy: ObjectIdentifier(self),
            into: memory)
    }

    override func existing<Service>(registration: ResolverRegistration<Service>, resolver: Resolver) -> Service? {
        guard let scope = ScopeContext.shared.visible(kind) else { return nil }
        return withExtendedLifetime(scope) {
            store.existing(of: registration, resolver, ownedBy: Unretained(scope.owner))
        }
    }
}

extension ScopeContext {
    /// Returns the current scope of a kind, unless it is hidden by the creation of a longer-lived instance.
    func visible(_ kind: ScopeKind) -> ScopeHandle? {
        current(kind).flatMap { ResolutionCycle.current.hides($0) ? nil : $0 }
    }

    /// Tells observers why a service that belongs to a scope finds none.
    func reportMissingScope(_ kind: ScopeKind, for registration: AnyResolverRegistration) {
        ScopeEvent.emit {
            let service = TypeName.qualified(registration.serviceType)
            if let current = current(kind), let consumer = ResolutionCycle.current.consumer(hiding: current) {
                return .captive(kind, service: service, consumer: consumer.hop.description)
            }
            if let innermost = innermost(kind) {
                return .resolvedInEndedScope(innermost.description, service: service)
            }
            let isElsewhere = kind.binding == .execution && openScopes().contains { $0.kind == kind }
            return isElsewhere && ScopeFrame.isInChildTask
                ? .notInherited(kind, service: service) : .resolvedWithoutScope(kind, service: service)
        }
    }
}
