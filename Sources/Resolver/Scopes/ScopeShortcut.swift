/// What a built-in scope would do if it were asked, so that it need not be: the call into a scope costs more than making
/// a small object does. Each case names the very function that the scope calls.
///
/// Any other class, also one derived from a built-in scope, is asked.
enum ScopeShortcut: Sendable {
    case ask
    /// `.unique` calls `ResolverRegistration.make`.
    case make
    /// `.graph` calls `ResolverRegistration.shareInCycle`.
    case shareInCycle
    /// `ResolverScopeCache` and `ResolverScopeShare` first look into their store. Not where a slot will answer: it is the
    /// scope that fills it.
    case look
    /// `.scoped(to:)` asks the current scope of a kind.
    case context
    /// What the current scopes have registered comes before.
    case overridden

    init(for lifetime: RegistrationLifetime) {
        switch ObjectIdentifier(type(of: lifetime.scope)) {
        case ObjectIdentifier(ResolverScope.self): self = .make
        case ObjectIdentifier(ResolverScopeGraph.self): self = .shareInCycle
        case ObjectIdentifier(ResolverScopeShare.self): self = .look
        case ObjectIdentifier(PerContextScope.self): self = .context
        case ObjectIdentifier(ResolverScopeCache.self) where !lifetime.isUnconditional: self = .look
        default: self = .ask
        }
    }

    /// Where a scope keeps its instances that does nothing else.
    static func store(of scope: any ResolverScopeType) -> InstanceStore? {
        switch ObjectIdentifier(type(of: scope)) {
        case ObjectIdentifier(ResolverScopeCache.self): (scope as? ResolverScopeCache)?.store
        case ObjectIdentifier(ResolverScopeShare.self): (scope as? ResolverScopeShare)?.store
        case ObjectIdentifier(PerContextScope.self): (scope as? PerContextScope)?.store
        default: nil
        }
    }

    /// Whether a scope has nothing to let go of but what is in cells.
    static func keepsInCells(_ scope: any ResolverScopeType) -> Bool {
        let type = ObjectIdentifier(type(of: scope))
        return type == ObjectIdentifier(ResolverScope.self) || type == ObjectIdentifier(ResolverScopeGraph.self)
            || type == ObjectIdentifier(ResolverScopeContainer.self) || store(of: scope) != nil
    }
}
