import Resolver

extension Resolver {
    /// What the shop needs besides selling.
    static func registerOffice() {
        register { MailConnection() }.kept(by: .shared)
        register { resolver in try Recommendations(from: resolver.tryResolve()) }.kept(by: .application)
    }

    /// What every branch has. Called for several resolvers: the till is each branch's own, the ledger is one for all,
    /// because it is the same registration.
    func registerBranch() {
        register { Ledger() }.kept(by: .application)
        register { resolver in try Till(ledger: resolver.tryResolve()) }.kept(by: .container)
    }
}
