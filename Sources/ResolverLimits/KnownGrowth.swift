/// A figure that grows although it should not, and why that stays so. `--check` passes with these.
struct KnownGrowth {
    let workload: String
    let step: String
    let quantity: Quantity
    let reason: String

    static let all = [
        KnownGrowth(
            workload: "registering-again", step: "register", quantity: .bytes,
            reason: "Readers take no lock, so the shell of a replaced registration stays until its resolver ends."),
        KnownGrowth(
            workload: "reset-all", step: "reset and register", quantity: .bytes,
            reason: "Readers take no lock, so removed registrations and their table stay until their resolver ends."),
        KnownGrowth(
            workload: "adding-children", step: "add and miss", quantity: .nanoseconds,
            reason: "A miss asks every child, and children are never removed: each round asks one more."),
    ]

    static func of(_ workload: String, _ step: String, _ quantity: Quantity) -> KnownGrowth? {
        all.first { $0.workload == workload && $0.step == step && $0.quantity == quantity }
    }
}
