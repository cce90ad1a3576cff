/// What has been paid in the web shop, in cents.
final class Accounts: Sendable {
    let total = Box(0)
    /// How many transactions have been closed.
    let closed = Box(0)
}
