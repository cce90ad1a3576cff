import Resolver
import Testing

/// A handler that sets its request by hand: what it gets, what it commits, and what is left of it.
@Suite struct RequestHandlerTests {
    private static func transaction() async throws -> Transaction { try await Resolver.resolveAsync() }

    // MARK: What belongs to the call

    @Test(arguments: [["X-Trace-ID": "client's", "User-Agent": "test"], [:]])
    func `the trace is the clients or else the id of the call`(_ headers: [String: String]) async throws {
        let traces = Box<[String]>([]), agents = Box<[String?]>([])
        let handler = RequestHandler { context in
            traces.append(context.trace)
            agents.append(context.agent)
        }
        let id = try await handler.handle(IncomingCall(headers: headers))
        #expect(traces.value == [headers["X-Trace-ID"] ?? id])
        #expect(agents.value == [headers["User-Agent"]])
    }

    @Test func `a nested function gets the instances of its call`() async throws {
        @Sendable func nested(_ context: CallContext) async throws {
            #expect(try await Resolver.resolveAsync(CallContext.self) === context)
            // The lines tell that it is the log that the handler writes.
            #expect(try await Resolver.resolveAsync(CallLog.self).lines == ["serving \(context.id)"])
            #expect(try await Resolver.resolveAsync(Transaction.self) === RequestHandlerTests.transaction())
        }
        try await RequestHandler(work: nested).handle()
    }

    @Test func `what is not registered is nil`() async throws {
        final class Stranger: Sendable {}
        try await RequestHandler { _ in
            let stranger = try await Resolver.optionalAsync(Stranger.self)
            #expect(stranger == nil)
        }.handle()
        #expect(try await Resolver.optionalAsync(Stranger.self) == nil)
    }

    // MARK: Its transaction

    @Test func `success commits the transaction that was used`() async throws {
        let handler = RequestHandler { _ in try await RequestHandlerTests.transaction().use() }
        try await handler.handle()
        #expect(handler.ledger.entries == [.begun(1), .used(1), .committed(1)])
    }

    @Test func `an error rolls back the transaction that was used`() async {
        let handler = RequestHandler { _ in
            try await RequestHandlerTests.transaction().use()
            throw Failure(number: 1)
        }
        await #expect(throws: Failure(number: 1)) { try await handler.handle() }
        #expect(handler.ledger.entries == [.begun(1), .used(1), .rolledBack(1)])
    }

    @Test func `an error before its use begins no transaction`() async {
        let handler = RequestHandler { _ in throw Failure(number: 1) }
        await #expect(throws: Failure(number: 1)) { try await handler.handle() }
        #expect(handler.ledger.entries == [])
    }

    @Test func `each call has a transaction of its own`() async throws {
        let handler = RequestHandler { _ in try await RequestHandlerTests.transaction().use() }
        for _ in 1...2 { try await handler.handle() }
        let each: [[Ledger.Entry]] = (1...2).map { [.begun($0), .used($0), .committed($0)] }
        #expect(handler.ledger.entries == each.flatMap { $0 })
    }

    // MARK: What is left

    private enum Way: CaseIterable {
        case returning, throwing, cancelled
    }

    /// - Returns: when nothing is left.
    private static func handle(_ way: Way) async throws {
        let isInside = AsyncGate(), isNeverOpened = AsyncGate(), bodyIsGone = AsyncGate()
        let handler = RequestHandler { _ in
            _ = try await transaction()
            isInside.open()
            switch way {
            case .returning: break
            case .throwing: throw Failure(number: 1)
            case .cancelled: try await isNeverOpened.wait()
            }
        }
        let task = Task {
            let call = IncomingCall(body: IncomingCall.Body { bodyIsGone.open() })
            let result = await outcome { try await handler.handle(call) }
            #expect(ScopeContext.shared.currentID(for: .request) == nil)
            return result
        }
        try await isInside.wait()
        if way == .cancelled { task.cancel() }
        let error = await task.value.error
        switch way {
        case .returning: #expect(error == nil)
        case .throwing: #expect(error as? Failure == Failure(number: 1))
        case .cancelled: #expect(error is CancellationError)
        }
        #expect(ScopeContext.shared.openScopes().isEmpty)
        await handler.ledger.released.wait(for: 1)
        // It was held by the context and by the factory of that.
        try await bodyIsGone.wait()
    }

    @Test func `nothing is left however the handler is left`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            for way in Way.allCases { try await RequestHandlerTests.handle(way) }
        }
    }

    /// What is made synchronously is gone in the line after the handler.
    @Test func `the log is gone when the handler returns`() async throws {
        struct Watched: Sendable {
            weak let log: CallLog?
        }
        let watched = Box<Watched?>(nil)
        let handler = RequestHandler { _ in
            watched.set(Watched(log: Resolver.resolve(CallLog.self)))
            #expect(watched.value?.log != nil)
        }
        try await handler.handle()
        #expect(watched.value != nil)
        #expect(watched.value?.log == nil)
    }
}
