import Resolver
import Testing

/// Handlers that set their requests by hand, many at once: none sees what belongs to another.
@Suite struct ConcurrentHandlerTests {
    @Test func `a thousand calls see a thousand ids`() async throws {
        let seen = Box<Set<String>>([])
        let handler = RequestHandler { context in
            await Task.yield()
            let current = ScopeContext.shared.currentID(for: .request)
            #expect(current == "call \(context.id)")
            seen.update { _ = $0.insert(current ?? "none") }
        }
        let ids = try await handler.handle(Array(repeating: IncomingCall(), count: 1000))
        #expect(seen.value.count == 1000)
        #expect(seen.value == Set(ids.map { "call \($0)" }))
    }

    @Test func `calls that have all registered before any resolves get their own`() async throws {
        let allHaveRegistered = Meeting(8), traces = Box<Set<String>>([])
        let handler = RequestHandler { context in
            let log: CallLog = Resolver.resolve()
            #expect(ScopeContext.shared.currentID(for: .request) == "call \(context.id)")
            #expect(log.id == context.id)
            traces.update { _ = $0.insert(context.trace) }
        } whenRegistered: {
            await allHaveRegistered.arriveAndWait()
        }
        let clients = (1...8).map { "client \($0)" }
        _ = try await handler.handle(clients.map { IncomingCall(headers: ["X-Trace-ID": $0]) })
        #expect(traces.value == Set(clients))
    }

    @Test func `a call that waits keeps its instances while another is served wholly`() async throws {
        let isInside = AsyncGate(), mayGoOn = AsyncGate()
        let waiting = RequestHandler { context in
            let transaction: Transaction = try await Resolver.resolveAsync()
            isInside.open()
            try await mayGoOn.wait()
            #expect(ScopeContext.shared.currentID(for: .request) == "call \(context.id)")
            #expect(try await Resolver.resolveAsync(CallContext.self) === context)
            #expect(Resolver.existing(Transaction.self) === transaction)
        }
        let task = Task { try await waiting.handle() }
        try await isInside.wait()
        let other = RequestHandler { _ in try await Resolver.resolveAsync(Transaction.self).use() }
        try await other.handle()
        #expect(other.ledger.entries == [.begun(1), .used(1), .committed(1)])
        #expect(waiting.ledger.entries == [.begun(1)])
        mayGoOn.open()
        _ = try await task.value
        #expect(waiting.ledger.entries == [.begun(1), .committed(1)])
    }

    @Test func `after a group of calls nothing is left`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let handler = RequestHandler { _ in try await Resolver.resolveAsync(Transaction.self).use() }
            let ids = try await handler.handle(Array(repeating: IncomingCall(), count: 200))
            #expect(ids.count == 200)
            #expect(ScopeContext.shared.openScopes().map(\.id) == [])
            await handler.ledger.released.wait(for: 200)
            let entries = handler.ledger.entries
            for number in 1...200 {
                #expect(
                    entries.filter { $0.number == number }
                        == [.begun(number), .used(number), .committed(number)])
            }
        }
    }

    // MARK: Child tasks

    final class Draft: Sendable {}

    @Test func `a child task gets an instance that nobody keeps and the event tells`() async throws {
        let log = ScopeLog(.request), bothAreOpen = Meeting(2), resolver = Resolver()
        resolver.register { Draft() }.scoped(to: .request)
        let handler = RequestHandler { _ in
            let own: Draft = resolver.resolve()
            await bothAreOpen.arriveAndWait()
            async let first = resolver.resolve(Draft.self)
            async let second = resolver.resolve(Draft.self)
            async let registeredForTheCall = Resolver.optionalAsync(CallContext.self)
            let drafts = await [own, first, second], contextOfTheChild = try await registeredForTheCall
            #expect(Set(drafts.map(ObjectIdentifier.init)).count == 3)
            #expect(contextOfTheChild == nil)
            #expect(resolver.resolve(Draft.self) === own)
        }
        _ = try await handler.handle([IncomingCall(), IncomingCall()])
        let service = "ResolverTests.ConcurrentHandlerTests.Draft"
        let told = log.events.filter { "\($0)".contains(service) }
        #expect(told == Array(repeating: .notInherited(.request, service: service), count: 4))
    }

    @Test func `what a child task gets is gone with its holder`() async throws {
        let alive = Box(0), resolver = Resolver()
        resolver.register { Counted(alive) }.scoped(to: .request)
        @Sendable func inAChildTask() async -> Counted {
            async let counted = resolver.resolve(Counted.self)
            return await counted
        }
        try await RequestHandler { _ in
            weak let dropped = await inAChildTask()
            #expect(dropped == nil)
            weak let kept = resolver.resolve(Counted.self)
            #expect(kept != nil)
        }.handle()
        #expect(alive.value == 0)
    }

    // MARK: Equal ids

    @Test func `two requests that a client gives one id stay two and the event tells`() async throws {
        let log = ScopeLog(.request), firstIsOpen = AsyncGate(), bothAreOpen = Meeting(2), resolver = Resolver()
        resolver.register { Leaf() }.scoped(to: .request)
        @Sendable func serve(_ isOpen: AsyncGate? = nil) async -> Leaf {
            await Resolver.withScope(.request, id: "twice") {
                let leaf: Leaf = resolver.resolve()
                isOpen?.open()
                await bothAreOpen.arriveAndWait()
                #expect(resolver.resolve(Leaf.self) === leaf)
                return leaf
            }
        }
        async let first = serve(firstIsOpen)
        try await firstIsOpen.wait()
        let second = await serve()
        #expect(await first !== second)
        let scope = ScopeEvent.Scope(kind: .request, id: "twice")
        #expect(log.events.filter { $0 == .sameID(scope) }.count == 1)
    }
}

extension Ledger.Entry {
    fileprivate var number: Int {
        switch self {
        case .begun(let number), .used(let number), .committed(let number), .rolledBack(let number): number
        }
    }
}
