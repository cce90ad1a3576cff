/// How long instances live, and who shares them, where the library sees to it itself. A scope describes one.
enum Lifetime: Sendable {
    /// A new instance for each call.
    case transient
    /// One for each resolution cycle.
    case perCycle
    /// One until the store lets go of it.
    case cached(InstanceStore)
    /// One until the `cache` of the registration's resolver lets go of it.
    case container
    /// One for each open scope of a kind.
    case perContext(PerContextScope)
    /// That of another registration, for which this one stands.
    case alias(AliasScope)
    /// As a scope of the user says, which is asked each time.
    case custom

    init(of scope: any ResolverScopeType) {
        self = (scope as? ResolverScope)?.lifetime ?? .custom
    }

    /// The scope, if it keeps for scopes of contexts.
    var context: PerContextScope? {
        if case .perContext(let scope) = self { scope } else { nil }
    }

    var isTransient: Bool { if case .transient = self { true } else { false } }
    var isPerCycle: Bool { if case .perCycle = self { true } else { false } }
    var isCustom: Bool { if case .custom = self { true } else { false } }
}
