/// What one request takes and pays: all of it, or nothing.
final class Transaction: Sendable {
    enum Outcome { case committed, rolledBack }

    private struct State {
        var reserved: [Order.Line] = []
        var due = 0
        var outcome: Outcome?
        var isClosed = false
    }

    let context: RequestContext, log: RequestLog
    private let depot: Depot, accounts: Accounts
    private let state = Box(State()), presence = Presence()

    init(of context: RequestContext, log: RequestLog, depot: Depot, accounts: Accounts) {
        (self.context, self.log, self.depot, self.accounts) = (context, log, depot, accounts)
    }

    /// nil until it has been decided.
    var outcome: Outcome? { state.value.outcome }
    var isClosed: Bool { state.value.isClosed }

    func reserve(_ line: Order.Line) throws {
        try depot.take(line.count, of: line.sku)
        state.update { $0.reserved.append(line) }
    }

    func owe(_ cents: Int) { state.update { $0.due += cents } }

    func commit() async {
        await Task.yield()
        accounts.total.increment(by: state.value.due)
        decide(.committed)
    }

    func rollBack() async {
        await Task.yield()
        for line in state.value.reserved { depot.putBack(line.count, of: line.sku) }
        decide(.rolledBack)
    }

    private func decide(_ outcome: Outcome) {
        state.update { $0.outcome = outcome }
        log.write("\(outcome)")
    }

    /// Takes a while, as it does where a database is told.
    func close() async {
        for _ in 0..<10 { await Task.yield() }
        state.update { $0.isClosed = true }
        accounts.closed.increment()
    }
}
