/// What one request takes and pays: all of it, or nothing.
final class Transaction: Sendable {
    enum Outcome { case committed, rolledBack }

    let context: RequestContext, log: RequestLog
    /// nil until it has been decided.
    let outcome = Box<Outcome?>(nil), isClosed = Box(false)
    private let depot: Depot, accounts: Accounts
    private let reserved = Box<[Order.Line]>([]), due = Box(0), presence = Presence()

    init(of context: RequestContext, log: RequestLog, depot: Depot, accounts: Accounts) {
        (self.context, self.log, self.depot, self.accounts) = (context, log, depot, accounts)
    }

    func reserve(_ line: Order.Line) throws {
        try depot.take(line.count, of: line.sku)
        reserved.append(line)
    }

    func owe(_ cents: Int) { due.increment(by: cents) }

    func commit() async {
        await Task.yield()
        accounts.total.increment(by: due.value)
        decide(.committed)
    }

    func rollBack() async {
        await Task.yield()
        for line in reserved.value { depot.putBack(line.count, of: line.sku) }
        decide(.rolledBack)
    }

    private func decide(_ outcome: Outcome) {
        self.outcome.set(outcome)
        log.lines.append("\(outcome)")
    }

    /// Takes a while, as it does where a database is told.
    func close() async {
        for _ in 0..<10 { await Task.yield() }
        isClosed.set(true)
        accounts.closed.increment()
    }
}
