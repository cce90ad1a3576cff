import Foundation
import Resolver

final class Books: Sendable {
    struct Account: Sendable {
        var made: [String: Int] = [:]
        var released: [String: Int] = [:]
        /// The endings of transactions, by the id of their request.
        var ends: [String: [String]] = [:]
        /// Transactions that wait for `mayBegin`.
        var waiting = 0
        var begun = 0
        /// How many transactions had not ended when the database was closed.
        var openAtTheEnd: [Int] = []
        /// How much each cart held when it was saved, by its user.
        var carts: [String: [Int]] = [:]
        /// The errors passed to `Resolver.report`.
        var reported: [ResolutionError.Code] = []
        var opened = 0
        /// The reasons for the ends of contexts.
        var ended: [ScopeEvent.Reason: Int] = [:]
        /// Events that a correct server never causes.
        var unexpected: [String] = []

        var endedTransactions: Int { ends.values.map(\.count).reduce(0, +) }
        var endedScopes: Int { ended.values.reduce(0, +) }

        /// How many transactions have ended in each way.
        var endings: [String: Int] { Dictionary(ends.values.joined().map { ($0, 1) }, uniquingKeysWith: +) }
    }

    private let current = Box(Account())

    /// For the transactions of requests whose id begins with "late".
    let mayBegin = Gate()

    var account: Account { current.value }

    func note(_ change: (inout Account) -> Void) { current.update(change) }

    /// Returns when the account satisfies the condition. Fails with the account before the kernel ends the process.
    func until(_ isSo: (Account) -> Bool) async {
        let deadline = Date() + 540
        while !isSo(account) {
            if Date() > deadline { fail("the books do not balance: \(account)") }
            await Task.yield()
        }
    }

    func waitToBegin() async {
        note { $0.waiting += 1 }
        await mayBegin.pass()
    }

    func note(_ event: ScopeEvent) {
        note { account in
            switch event {
            case .opened: account.opened += 1
            case .ended(_, let reason, _): account.ended[reason, default: 0] += 1
            default: account.unexpected.append("\(event)")
            }
        }
    }
}

/// A part of a service by which the books count it.
final class Life: Sendable {
    private let name: String, books: Books

    init(of name: String, in books: Books) {
        (self.name, self.books) = (name, books)
        books.note { $0.made[name, default: 0] += 1 }
    }

    deinit { books.note { $0.released[name, default: 0] += 1 } }
}
