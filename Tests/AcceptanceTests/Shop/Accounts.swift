/// What has been paid in the web shop.
final class Accounts: Sendable {
    private let protected = Box(0)
    /// How many transactions have been closed.
    let closed = Tally()

    /// In cents.
    var total: Int { protected.value }

    func book(_ cents: Int) { protected.update { $0 += cents } }
}
