/// What is to be done with an instance that its keeper lets go of.
typealias Farewell = @Sendable (_ instance: AnyObject) -> Void

/// What a registration says about how long its instances live, and who shares them.
struct RegistrationLifetime: Sendable {
    var scope: any ResolverScopeType
    var timeToLive: TimeToLive?
    /// Makes the key that an instance is kept by; nil where all calls share one instance.
    var argumentKey: (@Sendable (_ argument: Any) throws -> ArgumentKey)?
    /// Run, in this order, when a keeper lets go of an instance.
    var farewells: [Farewell] = []

    /// Whether a kept instance answers every call until it is let go of, whatever the time and the arguments.
    var isSteady: Bool { timeToLive == nil && argumentKey == nil }

    /// All of `farewells`, or nil if there are none.
    var farewell: Farewell? {
        guard !farewells.isEmpty else { return nil }
        return { [farewells] instance in
            for farewell in farewells { farewell(instance) }
        }
    }
}
