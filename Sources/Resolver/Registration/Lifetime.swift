/// How long instances live, and who shares them, where the library sees to it itself. A scope describes one.
///
/// It holds none of the objects that it names: the scope does, and who has the lifetime of a scope has the scope.
enum Lifetime: Sendable {
    /// A new instance for each call.
    case transient
    /// One for each resolution cycle.
    case perCycle
    /// One until the store lets go of it.
    case cached(Unretained<InstanceStore>)
    /// One until the `cache` of the registration's resolver lets go of it.
    case container
    /// One for each open scope of a kind.
    case perContext(Unretained<PerContextScope>)
    /// That of another registration, for which this one stands.
    case alias(Unretained<AliasScope>)
    /// As a scope of the user says, which is asked each time.
    case custom

    init(of scope: any ResolverScopeType) {
        self = (scope as? ResolverScope)?.lifetime ?? .custom
    }

    /// The scope, if it keeps for scopes of contexts.
    var context: PerContextScope? {
        if case .perContext(let scope) = self { scope.object } else { nil }
    }

    var isTransient: Bool { if case .transient = self { true } else { false } }
    var isPerCycle: Bool { if case .perCycle = self { true } else { false } }
    var isCustom: Bool { if case .custom = self { true } else { false } }
}
