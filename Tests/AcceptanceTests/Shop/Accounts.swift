/// What has been paid in the web shop.
final class Accounts: Sendable {
    private let protected = Protected(0)
    /// How many transactions have been closed.
    let closed = Tally()

    /// In cents.
    var total: Int { protected.withLock { $0 } }

    func book(_ cents: Int) {
        protected.withLock { $0 += cents }
    }
}
