/// The books of the whole company.
final class Ledger { let total = Box(0) }

/// The money in one branch.
final class Till {
    let ledger: Ledger, cash = Box(0)

    init(ledger: Ledger) { self.ledger = ledger }

    func take(_ cents: Int) {
        cash.increment(by: cents)
        ledger.total.increment(by: cents)
    }
}
