import Foundation
import Resolver

/// What a client sends.
struct IncomingCall: Sendable {
    var headers: [String: String] = [:]
    /// Held by nothing but the call, and by what factories capture of it.
    var body = Body()

    final class Body: Sendable {
        private let whenReleased: @Sendable () -> Void

        init(whenReleased: @escaping @Sendable () -> Void = {}) {
            self.whenReleased = whenReleased
        }

        deinit { whenReleased() }
    }
}

/// Who calls, and by which marks the call is found in logs.
final class CallContext: Sendable {
    let id: String
    let agent: String?
    let trace: String
    let body: IncomingCall.Body

    init(_ call: IncomingCall, id: String) async {
        await Task.yield()
        self.id = id
        agent = call.headers["User-Agent"]
        trace = call.headers["X-Trace-ID"] ?? id
        body = call.body
    }
}

final class CallLog: Sendable {
    let id: String
    private let written = Box<[String]>([])

    init(_ id: String) {
        self.id = id
    }

    var lines: [String] { written.value }

    func write(_ line: String) {
        written.append(line)
    }
}

/// What became of transactions, by their numbers.
final class Ledger: Sendable {
    enum Entry: Equatable {
        case begun(Int), used(Int), committed(Int), rolledBack(Int)
    }

    let released = Departures()
    private let numbers = Box(0)
    private let written = Box<[Entry]>([])

    var entries: [Entry] { written.value }

    func begin() async throws -> Transaction {
        await Task.yield()
        let number = numbers.increment()
        write(.begun(number))
        return Transaction(number, self)
    }

    fileprivate func write(_ entry: Entry) {
        written.append(entry)
    }
}

final class Transaction: Sendable {
    private let number: Int
    private let ledger: Ledger

    fileprivate init(_ number: Int, _ ledger: Ledger) {
        self.number = number
        self.ledger = ledger
    }

    deinit { ledger.released.add() }

    func use() { ledger.write(.used(number)) }
    func commit() async throws { ledger.write(.committed(number)) }
    func rollBack() async { ledger.write(.rolledBack(number)) }
}

/// Serves each call in a request that it sets, and that is cleared however it is left. What a call needs is registered for
/// that call alone.
final class RequestHandler: Sendable {
    typealias Step = @Sendable (CallContext) async throws -> Void

    let ledger = Ledger()
    private let work: Step
    private let whenRegistered: @Sendable () async throws -> Void

    init(work: @escaping Step, whenRegistered: @escaping @Sendable () async throws -> Void = {}) {
        self.work = work
        self.whenRegistered = whenRegistered
    }

    /// Gives the id of the call.
    @discardableResult
    func handle(_ call: IncomingCall = IncomingCall()) async throws -> String {
        let id = UUID().uuidString
        ScopeContext.shared.setCurrent(.request, id: "call \(id)")
        defer { ScopeContext.shared.clear(.request) }
        await register(call, id)
        try await whenRegistered()
        do {
            try await serve()
            try await Resolver.existing(Transaction.self)?.commit()
        } catch {
            // Asking for what there is: where none was used, none is begun only to be rolled back.
            await Resolver.existing(Transaction.self)?.rollBack()
            throw error
        }
        return id
    }

    /// Serves all at once, each in a child task.
    func handle(_ calls: [IncomingCall]) async throws -> [String] {
        try await withThrowingTaskGroup(of: String.self) { group in
            for call in calls { group.addTask { try await self.handle(call) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func register(_ call: IncomingCall, _ id: String) async {
        await Resolver.registerAsyncScoped(CallContext.self, scope: .request) { await CallContext(call, id: id) }
        await Resolver.registerScoped(CallLog.self, scope: .request) { CallLog(id) }
        await Resolver.registerAsyncScoped(Transaction.self, scope: .request) { [ledger] in try await ledger.begin() }
    }

    private func serve() async throws {
        let context: CallContext = try await Resolver.resolveAsync()
        let log: CallLog = Resolver.resolve()
        log.write("serving \(context.id)")
        try await work(context)
    }
}
