import Resolver

extension [Visit] {
    /// No request has seen anything of another one.
    func claimIsolation() async {
        claim("all were open at the same time", await Resolver.resolve(Doorkeeper.self).openAtOnce == count)
        claim(
            "each saw its own id, and none when it had been served",
            allSatisfy { $0.seen.id == $0.request.id && $0.idAfterwards == nil })
        claim("each saw its own context", allSatisfy { $0.seen.context?.request == $0.request })
        claim(
            "each saw its own customer, and the stranger none",
            allSatisfy { $0.seen.customer?.id == ($0.answer.status == 403 ? nil : $0.request.customer) })
        claim(
            "each saw a log that no other request had written to",
            allSatisfy { visit in
                let outcome: Transaction.Outcome = visit.answer.isGood ? .committed : .rolledBack
                return visit.seen.log?.lines == [
                    "\(visit.request.customer) asks for the \(visit.request.asks)", "\(outcome)",
                ]
            })
        claim(
            "each had a transaction with this very context and this very log",
            allSatisfy { visit in
                guard let transaction = visit.seen.transaction else { return false }
                return transaction.context === visit.seen.context && transaction.log === visit.seen.log
            })
        let namesakes = Dictionary(grouping: self, by: \.request.id).values.filter { $0.count > 1 }
        claim(
            "two call themselves \"\(namesakes.first?.first?.request.id ?? "")\", and were told apart",
            namesakes.map(\.count) == [2] && namesakes[0][0].seen.context !== namesakes[0][1].seen.context)
    }

    /// The shop has answered and done what is right.
    ///
    /// - Parameter times: how often it has been asked the same.
    func claimBusiness(_ data: ShopData, times: Int) {
        claim("each was answered as the data file says", allSatisfy { $0.answer == $0.request.answer })
        let refused = filter { !$0.answer.isGood }
        claim(
            "\(count - refused.count) transactions were committed, and \(refused.count) rolled back",
            !refused.isEmpty
                && allSatisfy { $0.seen.transaction?.outcome == ($0.answer.isGood ? .committed : .rolledBack) })
        let orders = map(\.request).filter { $0.asks == .order && $0.answer.isGood }
        let left = orders.flatMap(\.lines).reduce(into: data.offers.mapValues(\.stock)) { counts, line in
            counts[line.sku, default: 0] -= times * line.count
        }
        claim("in the depot, what was sold is missing, and nothing else", Resolver.resolve(Depot.self).counts == left)
        let due = orders.reduce(0) { due, order in
            let prices = (try? data.customer(order.customer)).flatMap { data.prices[$0.prices] } ?? [:]
            return due + times * order.lines.reduce(0) { $0 + $1.count * (prices[$1.sku] ?? 0) }
        }
        let total = Resolver.resolve(Accounts.self).total
        claim("\(total.asMoney) were paid, what the orders say", total == due && due > 0)
    }
}
