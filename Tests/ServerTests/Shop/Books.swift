import Dispatch
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
        /// How many connections are lent, and were when the database was closed.
        var lent = 0
        var lentAtTheEnd: [Int] = []
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

    private struct State {
        var account = Account()
        var waiting: [(isSo: @Sendable (Account) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Box(State())

    /// For the transactions of requests whose id begins with "late".
    let mayBegin = Gate()

    var account: Account { state.value.account }

    func note(_ change: (inout Account) -> Void) {
        let ready = state.update { state in
            change(&state.account)
            let account = state.account
            defer { state.waiting.removeAll { $0.isSo(account) } }
            return state.waiting.filter { $0.isSo(account) }
        }
        for waiting in ready { waiting.continuation.resume() }
    }

    /// Returns when the account satisfies the condition. Fails with the account before the kernel ends the process.
    func until(_ isSo: @escaping @Sendable (Account) -> Bool) async {
        let isDone = Box(false)
        DispatchQueue.global().asyncAfter(deadline: .now() + 540) {
            if !isDone.value { fail("the books do not balance: \(self.account)") }
        }
        await withCheckedContinuation { continuation in
            let isSoAlready = state.update { state in
                if isSo(state.account) { return true }
                state.waiting.append((isSo, continuation))
                return false
            }
            if isSoAlready { continuation.resume() }
        }
        isDone.set(true)
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
