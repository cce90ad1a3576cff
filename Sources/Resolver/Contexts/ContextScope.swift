/// The scope behind `.scoped(to:)`: one instance for each open scope of a kind, kept by that one.
final class ContextScope: ResolverScope, @unchecked Sendable {
    private static let all = Guarded<[ScopeKind: ContextScope]>([:])

    private let kind: ScopeKind
    private let store: InstanceStore

    private init(_ kind: ScopeKind) {
        self.kind = kind
        store = InstanceStore(grip: .strong, rank: kind.rank)
        super.init()
    }

    static func of(_ kind: ScopeKind) -> ContextScope {
        let new = ContextScope(kind)
        return all.withLock { all in
            if let known = all[kind] { return known }
            all[kind] = new
            return new
        }
    }

    /// Without a scope: a new instance for each call, kept by nobody.
    override func resolve<Service>(
        registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
    ) throws -> Service? {
        guard let scope = ScopeContext.shared.visible(kind, for: registration) else {
            return try registration.make(resolver: resolver, args: args)
        }
        return try store.instance(of: registration, resolver: resolver, args: args, keeper: scope.home) { false }
    }

    override func existing<Service>(registration: ResolverRegistration<Service>, resolver: Resolver) -> Service? {
        guard let scope = ScopeContext.shared.visible(kind) else { return nil }
        return store.existing(of: registration, resolver: resolver, keeper: scope.home)
    }
}

extension ScopeContext {
    /// The current scope of a kind, unless something is being made that lives longer.
    func visible(_ kind: ScopeKind) -> ScopeHandle? {
        current(kind).flatMap { ResolutionCycle.current.hides($0) ? nil : $0 }
    }

    /// The same where a service asks that belongs to such a scope: tells why there is none.
    func visible(_ kind: ScopeKind, for registration: AnyResolverRegistration) -> ScopeHandle? {
        let current = current(kind)
        let isHidden = current.map(ResolutionCycle.current.hides) ?? false
        // A registration of a scope's own is for that scope.
        if !isHidden, let current, !registration.home.isScope || current.home === registration.home { return current }
        ScopeEvent.emit {
            let service = TypeName.qualified(registration.serviceType)
            let innermost = innermost(kind)
            if isHidden { return .captive(kind, service: service) }
            if let innermost { return .resolvedInEndedScope(innermost.description, service: service) }
            let isElsewhere = kind.binding == .execution && openScopes().contains { $0.kind == kind }
            return isElsewhere && ScopeFrame.isInChildTask
                ? .notInherited(kind, service: service) : .resolvedWithoutScope(kind, service: service)
        }
        return nil
    }
}
