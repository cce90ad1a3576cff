/// What a built-in scope would do if it were asked, so that it need not be: the call into a scope costs more than making
/// a small object does. Each case names the very function that the scope calls.
///
/// Any other class, also one derived from a built-in scope, is asked.
@usableFromInline
enum ScopeShortcut: Sendable {
    case ask
    /// `.unique` calls `ResolverRegistration.make`.
    case make
    /// `.graph` calls `ResolverRegistration.shareInCycle`.
    case shareInCycle

    init(for scope: any ResolverScopeType) {
        switch ObjectIdentifier(type(of: scope)) {
        case ObjectIdentifier(ResolverScope.self): self = .make
        case ObjectIdentifier(ResolverScopeGraph.self): self = .shareInCycle
        default: self = .ask
        }
    }
}
