/// A figure whose growth is accepted, and the reason. `--check` passes in spite of it.
struct KnownGrowth: Equatable {
    let workloads: [String]
    /// The end of the step's name; empty for all steps.
    let step: String
    let quantity: Quantity
    let reason: String

    static let all = [
        KnownGrowth(
            workloads: ["registering-again"], step: "register", quantity: .bytes,
            reason: "Readers take no lock, so the shell of a replaced registration stays until its resolver ends."),
        KnownGrowth(
            workloads: ["reset-all"], step: "reset and register", quantity: .bytes,
            reason: "Readers take no lock, so removed registrations and their table stay until their resolver ends."),
        KnownGrowth(
            workloads: ["modifying"], step: "change", quantity: .bytes,
            reason: "Readers take no lock, so a replaced plan stays until its registration ends."),
        KnownGrowth(
            workloads: ["modifier-properties", "modifier-hooks"], step: "add", quantity: .bytes,
            reason:
                "Each one makes a plan with a copy of the list, and a replaced plan stays until its registration ends."),
        KnownGrowth(
            workloads: ["modifier-properties", "modifier-hooks"], step: "add", quantity: .nanoseconds,
            reason: "Each one copies the list of those before it."),
        KnownGrowth(
            workloads: ["scope-kinds"], step: "", quantity: .bytes,
            reason: "A kind is a constant of the program. Its number is never given to another one."),
        KnownGrowth(
            workloads: ["adding-children"], step: "add and miss", quantity: .nanoseconds,
            reason: "A miss asks every child, and children are never removed, so each round asks one more."),
        KnownGrowth(
            workloads: ["chain-unique", "chain-graph", "chain-cached", "chain-async"], step: "made: a factory",
            quantity: .nanoseconds,
            reason: "Each factory is searched for among those that are running, to find a dependency cycle."),
        KnownGrowth(
            workloads: ["chain-broken", "chain-ring"], step: "failed: a factory", quantity: .nanoseconds,
            reason: "As in other chains: each factory is searched for among those that are running."),
        KnownGrowth(
            workloads: ["set-scopes"], step: "resolve", quantity: .nanoseconds,
            reason: "All scopes that the execution has set and not cleared are looked at to find the current one."),
        KnownGrowth(
            workloads: ["set-scopes"], step: "clear", quantity: .nanoseconds,
            reason: "The scope is searched for among all that the execution has set and not cleared."),
        KnownGrowth(
            workloads: ["observed-scopes"], step: "end by id", quantity: .nanoseconds,
            reason: "All open scopes are looked through for the id."),
        KnownGrowth(
            workloads: ["scoped-names"], step: "register", quantity: .nanoseconds,
            reason: "A new name is looked for in the tables of all resolvers."),
        KnownGrowth(
            workloads: ["long-suggestions"], step: "message", quantity: .nanoseconds,
            reason: "The distance of two names takes as many steps as the product of their lengths."),
    ]

    static func of(_ workload: String, _ step: String, _ quantity: Quantity) -> KnownGrowth? {
        all.first { $0.workloads.contains(workload) && step.hasSuffix($0.step) && $0.quantity == quantity }
    }
}
