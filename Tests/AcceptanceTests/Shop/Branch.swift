/// The books of the whole company.
final class Ledger {
    private(set) var total = 0

    func book(_ cents: Int) { total += cents }
}

/// The money in one branch.
final class Till {
    let ledger: Ledger
    private(set) var cash = 0

    init(ledger: Ledger) { self.ledger = ledger }

    func take(_ cents: Int) {
        cash += cents
        ledger.book(cents)
    }
}
