/// The scope of `.scoped(to:)`. Each open scope of a kind keeps one instance.
final class PerContextScope: ResolverScope, @unchecked Sendable {
    private static let all = Guarded<[PerContextScope]>([])

    let kind: ScopeKind
    /// Whether no instance is created without an open scope.
    private let isRequired: Bool
    let store: InstanceStore

    private init(_ kind: ScopeKind, isRequired: Bool) {
        self.kind = kind
        self.isRequired = isRequired
        store = InstanceStore(strength: .strong, rank: kind.rank)
        super.init()
        // Each kind has two such scopes for the life of the process.
        permanent()
    }

    static func of(_ kind: ScopeKind, isRequired: Bool = false) -> PerContextScope {
        all.withLock { all in
            if let known = all.first(where: { $0.kind == kind && $0.isRequired == isRequired }) { return known }
            let new = PerContextScope(kind, isRequired: isRequired)
            all.append(new)
            return new
        }
    }

    override var described: Lifetime { .perContext(Unretained(self)) }
    override var isBuiltIn: Bool { true }

    // MARK: Keeping

    /// Puts the instance of the current scope into the call's memory, and creates it if there is none.
    @inline(never)
    func resolve(_ registration: AnyResolverRegistration, _ call: Call) throws -> Bool {
        if let scope = certainScope(for: registration) {
            ResolutionCycle.current.range.narrow(to: kind.rank, isHidden: false)
            return try scope.use { try resolve(registration, in: $0, call) }
        }
        // The clock may be code of the user, which may resolve the service again.
        let cycle = ResolutionCycle.current
        try cycle.requireStack(for: registration)
        if let awaited = try cycle.keptResult(
            for: registration, in: store, registration.argumentKey(call.args))
        {
            // The scope may be hidden or expired by now. This call does not end it.
            if let scope = ScopeContext.shared.innermost(kind) {
                scope.noteCreation()
                _ = cycle.sees(scope)
            }
            guard let object = try awaited.result.get() else { return cycle.nothing(of: registration) }
            return try registration.unpackKept(object, into: call.memory)
        }
        guard let scope = scope(for: registration) else {
            return try resolveWithoutScope(registration, call)
        }
        return try resolve(registration, in: scope, call)
    }

    /// Puts the instance of `scope` into the call's memory, and creates it if there is none.
    @inline(__always)
    private func resolve(_ registration: AnyResolverRegistration, in scope: ScopeHandle, _ call: Call) throws -> Bool {
        // The scope's owner is not retained, because the caller holds the scope.
        let owner = Unretained(scope.owner)
        if let kept = registration.takeKept(in: store, ownedBy: owner) {
            return try registration.unpackKept(kept, into: call.memory)
        }
        return try create(registration, in: scope, call)
    }

    /// Creates the instance of `scope`, or waits for it. Not inlined: a hit needs a smaller stack frame.
    @inline(never)
    private func create(_ registration: AnyResolverRegistration, in scope: ScopeHandle, _ call: Call) throws -> Bool {
        defer { scope.reportIfFull() }
        let isThere = try store.instance(
            of: registration, call, ownedBy: Unretained(scope.owner), askedBy: ObjectIdentifier(self))
        if let isThere { return isThere }
        // Another scope may have replaced the one that has ended.
        guard let next = self.scope(for: registration), next !== scope else {
            return try resolveWithoutScope(registration, call)
        }
        return try create(registration, in: next, call)
    }

    /// Puts an instance that is not kept into the call's memory, or returns false if a scope is required.
    private func resolveWithoutScope(_ registration: AnyResolverRegistration, _ call: Call) throws -> Bool {
        // The scope that has registered the service for itself was current when this registration was found. The successor of that
        // scope may have its own registration.
        if registration.owner.kindNumber == kind.number, !registration.isTargetOfPass {
            return try registration.resolveAnew(call)
        }
        if !isRequired { return try makeWithoutScope(registration, call) }
        ScopeEvent.emit { ScopeContext.shared.missingScope(kind, for: registration) }
        ResolutionCycle.current.declined(registration)
        return false
    }

    func makeWithoutScope(_ registration: AnyResolverRegistration, _ call: Call) throws -> Bool {
        // The event is about the scopes of the call, which the factory may change.
        let event = ScopeEvent.isObserved ? ScopeContext.shared.missingScope(kind, for: registration) : nil
        guard try registration.make(call) else { return false }
        ScopeContext.shared.countUnkept(kind)
        if let event { ScopeEvent.emit { event } }
        return true
    }

    // MARK: The current scope

    /// Returns the innermost bound scope, if it is certainly the current one, because no scope is set, hidden or timed.
    ///
    /// The scope is not retained. The frames of the running code hold it.
    @inline(__always)
    private func certainScope(for registration: AnyResolverRegistration) -> Unretained<ScopeHandle>? {
        guard ScopeFrame.areNoneSet, ResolutionCycle.current.hidesNone, let scope = ScopeFrame.innermostBound(kind),
            !scope.use({ $0.isTimed }), !registration.owner.isScope
        else { return nil }
        return scope
    }

    /// Returns the scope whose instance of `registration` the call gets, if there is one. The scope may have ended.
    func scope(for registration: AnyResolverRegistration) -> ScopeHandle? {
        let cycle = ResolutionCycle.current
        for scope in InnermostScopes(kind) {
            // A hidden scope is not used, so its expiry comes last.
            guard cycle.sees(scope) else { return nil }
            if scope.endIfExpired(isUse: true) { continue }
            // The registration may belong to another scope of this kind alone.
            let owner = registration.owner
            return owner.kindNumber != kind.number || scope.owner === owner ? scope : nil
        }
        return nil
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
        current(kind).flatMap { ResolutionCycle.current.sees($0) ? $0 : nil }
    }

    /// Returns the event that says why a scoped service finds no scope.
    func missingScope(_ kind: ScopeKind, for registration: AnyResolverRegistration) -> ScopeEvent {
        let service = TypeName.qualified(registration.serviceType)
        if let current = current(kind), let consumer = ResolutionCycle.current.consumer(hiding: current) {
            return .captive(kind, service: service, consumer: consumer.hop.description)
        }
        // An asynchronous call may have waited while a scope began.
        if let innermost = innermost(kind), innermost.hasEnded {
            return .resolvedInEndedScope(innermost.description, service: service)
        }
        return kind.binding == .execution && ScopeFrame.isInChildTask
            && unended(where: { $0.key.kind == kind }).contains(where: \.isCurrent)
            ? .notInherited(kind, service: service) : .resolvedWithoutScope(kind, service: service)
    }
}
