import Resolver

extension [Visit] {
    /// No request has seen anything of another one.
    func claimIsolation() async {
        claim("all were open at the same time", await Resolver.resolve(Doorkeeper.self).openAtOnce == count)
        claim(
            "each saw its own id, and none when it had been served",
            allSatisfy { $0.id == $0.request.id && $0.idAfterwards == nil })
        claim("each saw its own context", allSatisfy { $0.context?.request == $0.request })
        claim(
            "each saw its own customer, and the stranger none",
            allSatisfy { $0.customer?.id == ($0.answer.hasPrefix("403") ? nil : $0.request.from) })
        claim(
            "each saw a log that no other request had written to",
            allSatisfy { visit in
                visit.log?.lines.value == [
                    "\(visit.request.from) asks for the \(visit.request.asks)",
                    visit.isGood ? "committed" : "rolledBack",
                ]
            })
        claim(
            "each had a transaction with this very context and this very log",
            allSatisfy { visit in
                guard let transaction = visit.transaction else { return false }
                return transaction.context === visit.context && transaction.log === visit.log
            })
        let namesakes = Dictionary(grouping: self, by: \.request.id).values.filter { $0.count > 1 }
        claim(
            "two call themselves \"\(namesakes.first?.first?.request.id ?? "")\", and were told apart",
            namesakes.map(\.count) == [2] && namesakes[0][0].context !== namesakes[0][1].context)
    }

    /// The shop has answered and done what is right.
    ///
    /// - Parameter times: how often it has been asked the same.
    func claimBusiness(_ data: ShopData, times: Int) throws {
        claim("each was answered as the data file says", allSatisfy { $0.answer == $0.request.answer })
        let refused = filter { !$0.isGood }
        claim(
            "\(count - refused.count) transactions were committed, and \(refused.count) rolled back",
            !refused.isEmpty && allSatisfy { $0.transaction?.outcome.value == ($0.isGood ? .committed : .rolledBack) })
        let orders = filter(\.isGood).map(\.request).filter { $0.asks == .order }
        let left = orders.flatMap(\.lines).reduce(into: data.numbers(\.supply)) { counts, line in
            counts[line.sku, default: 0] -= times * line.count
        }
        let depot: Depot = Resolver.resolve()
        claim("in the depot, what was sold is missing, and nothing else", depot.counts.value == left)
        let due = try times * orders.reduce(0) { try $0 + data.total(of: $1.lines, for: $1.from) }
        let total = Resolver.resolve(Accounts.self).total.value
        claim("\(total.asMoney) were paid, what the orders say", total == due && due > 0)
    }
}
