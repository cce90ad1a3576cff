import Resolver
import Testing

@Suite struct ScopeEventTests {
    private func scope(_ kind: ScopeKind, _ id: String) -> ScopeEvent.Scope { ScopeEvent.Scope(kind: kind, id: id) }

    @Test func `an observer may use the library and does not get the events that it causes`() async {
        await #expect(processExitsWith: .success) {
            let resolver = Resolver(), told = Box<[ScopeEvent]>([]), context = ScopeContext.shared
            resolver.register { Leaf() }.scoped(to: .session)
            let observation = context.observe { event in
                // What the app registers at its start is told as well.
                switch event {
                case .opened, .ended, .resolvedWithoutScope: told.append(event)
                default: return
                }
                context.setCurrent(.screen, id: "\(told.value.count)")
                _ = resolver.resolve(Leaf.self)
            }
            Resolver.withScope(.request, id: "1") { _ = resolver.resolve(Leaf.self) }
            let scope = ScopeEvent.Scope(kind: .request, id: "1")
            let unkept = ScopeEvent.resolvedWithoutScope(.session, service: "ResolverTests.Leaf")
            expect(told.value, is: [.opened(scope), unkept, .ended(scope, reason: .ended, instances: 0)])
            observation.cancel()
            Resolver.withScope(.request, id: "2") {}
            expect(context.currentID(for: .screen), is: "3", "it has set the screen")
        }
    }

    @Test func `a call ends although the end of a scope always sets another one whose time is over`() async {
        await #expect(processExitsWith: .success) {
            let context = ScopeContext.shared, ends = Box(0)
            Resolver.register { Leaf() }.scoped(to: .session)
            let observation = context.observe { event in
                guard case .ended = event else { return }
                context.setCurrent(.session, id: "\(ends.increment())", expiresAfter: 0)
            }
            let calls: [() async -> Void] = [
                { _ = context.current(.session) },
                { _ = context.openScopes() },
                { context.clear(.session) },
                { await context.clearAndWait(.session, cascade: true) },
                { await context.clearAndWait(.session, id: "1") },
                { context.setCurrent(.session, id: "2", expiresAfter: 0) },
                { context.ensureCurrent(.session, id: "3", expiresAfter: 0) },
                { _ = Resolver.resolve(Leaf.self) },
                { Resolver.registerScoped(OtherLeaf.self, scope: .session) { OtherLeaf() } },
            ]
            for (index, call) in calls.enumerated() {
                context.setCurrent(.session, id: "first", expiresAfter: 0)
                ends.set(0)
                await call()
                expect(1...100 ~= ends.value, "call \(index) has ended \(ends.value) scopes")
            }
            observation.cancel()
            // A scope that is open below many whose time is over is found all the same.
            let time = ManualTime()
            Resolver.clock = time.clock
            let open = context.setCurrent(.request, id: "open")
            for id in 1...30 { context.setCurrent(.request, id: "\(id)", expiresAfter: 5) }
            time.set(5)
            expect(context.current(.request) === open)
        }
    }

    @Test(.ownResolver)
    func `an observer of resolutions gets what an observer of scopes resolves, and the other way round`() {
        let made = Box(0), opened = Box(0), resolver = Resolver()
        resolver.register { Leaf() }
        let observations = [
            ScopeContext.shared.observe { event in
                if case .opened = event { opened.increment() }
                _ = resolver.resolve(Leaf.self)
            },
            Resolver.observe { event in
                if event.kind == .made { made.increment() }
                Resolver.withScope(.request, id: "inner") {}
            },
        ]
        defer { observations.forEach { $0.cancel() } }
        Resolver.withScope(.request, id: "outer") {}
        expect([opened.value, made.value], is: [1, 2])
        _ = resolver.resolve(Leaf.self)
        expect(made.value, is: 3)
        expect(opened.value > 1)
    }

    private typealias Part = OtherLeaf
    private typealias Consumer = Holder<OtherLeaf>

    /// Registers a service of requests, whose use outside of a request is an event. `Consumer` uses it.
    private func observing(_ scope: ResolverScope, _ observer: @escaping @Sendable () -> Void) -> ResolverObservation {
        Resolver.register { Leaf() }.scoped(to: .request)
        Resolver.register { Part() }.scope(.graph)
        Resolver.register { resolver in
            let part: Part = resolver.resolve()
            _ = resolver.resolve(Leaf.self)
            return Consumer(part)
        }.scope(scope)
        return ScopeContext.shared.observe { _ in observer() }
    }

    @Test(.ownResolver, arguments: [ResolverScope.unique, .graph], [false, true])
    func `an observer is no part of the call or task it observes`(scope: ResolverScope, isTask: Bool) async throws {
        let seen = Box<[Consumer]>([])
        let observation = observing(scope) { seen.append(Resolver.resolve()) }
        defer { observation.cancel() }
        Resolver.register(name: "awaited") { resolver in try await resolver.resolveAsync(Consumer.self) }.scope(.cached)
        let consumer: Consumer = try await isTask ? Resolver.resolveAsync(name: "awaited") : Resolver.resolve()
        expect(seen.value.map { $0 === consumer || $0.part === consumer.part }, is: [false])
    }

    @Test(.ownResolver, arguments: [false, true])
    func `an observer finds the scopes that are hidden from a creation`(isAsync: Bool) async throws {
        let seen = Box<[Leaf]>([])
        let observation = observing(.unique) { seen.append(Resolver.resolve()) }
        defer { observation.cancel() }
        Resolver.main.register(isAsync: isAsync) { _ in Part(after: ScopeContext.shared.setCurrent(.screen, id: "1")) }
            .scope(.application)
        try await Resolver.withScope(.request, id: "1") {
            let own = Resolver.resolve(Leaf.self)
            seen.set([])
            _ = try await Resolver.resolveAsync(Part.self)
            expect(seen.value.map { $0 === own }, is: [true])
        }
    }

    @Test func `the stream has the events after its creation`() async {
        let kind = ScopeKind("streamed", rank: 10, binding: .execution)
        var events = ScopeContext.shared.events.makeAsyncIterator()
        await Resolver.withScope(kind, id: "a") {}
        while let event = await events.next() {
            if event == .ended(scope(kind, "a"), reason: .ended, instances: 0) { break }
        }
    }

    @Test(.ownResolver) func `a scope that a hook replaces while it is being set is opened before it has ended`() {
        let kind = ScopeKind.ofTest("replaced by a hook", .process), context = ScopeContext.shared, log = ScopeLog(kind)
        Resolver.register { Leaf() }.scoped(to: kind)
            .onRelease { (_: Leaf) in if context.currentID(for: kind) == "b" { context.setCurrent(kind, id: "c") } }
        context.setCurrent(kind, id: "a")
        _ = Resolver.resolve(Leaf.self)
        context.setCurrent(kind, id: "b")
        expect(context.currentID(for: kind), is: "c")
        let (a, b, c) = (scope(kind, "a"), scope(kind, "b"), scope(kind, "c"))
        let ends = [(b, 0), (a, 1)].map { ScopeEvent.ended($0, reason: .replaced, instances: $1) }
        expect(log.events, is: [.opened(a), .opened(b), ends[0], .opened(c), ends[1]])
    }

    @Test(.ownResolver) func `a scope that is full while it is being set is opened before that`() {
        let kind = ScopeKind.ofTest("full at once", .process), context = ScopeContext.shared, log = ScopeLog(kind)
        context.setLimits(kind, instances: 0)
        Resolver.register { OtherLeaf() }.scoped(to: kind)
        Resolver.register { Leaf() }.scoped(to: kind).onRelease { (_: Leaf) in _ = Resolver.resolve(OtherLeaf.self) }
        context.setCurrent(kind, id: "a")
        _ = Resolver.resolve(Leaf.self)
        context.setCurrent(kind, id: "b")
        let (a, b) = (scope(kind, "a"), scope(kind, "b"))
        let full = [a, b].map { ScopeEvent.limitExceeded($0, instances: 0) }
        expect(log.events, is: [.opened(a), full[0], .opened(b), full[1], .ended(a, reason: .replaced, instances: 1)])
    }

    @Test func `events report a scope without an id and a second open scope with the same kind and id`() {
        let kinds = [10, 20].map { ScopeKind("same id", rank: $0, binding: .execution) }, kind = kinds[0]
        let log = ScopeLog(kind, kinds[1])
        Resolver.withScope(kind, id: "") {}
        Resolver.withScope(kind, id: "a") { Resolver.withScope(kind, id: "a") {} }
        Resolver.withScope(kind, id: "a") {}
        Resolver.withScope(kind, id: "a") { Resolver.withScope(kind, id: "b") {} }
        Resolver.withScope(kinds[1], id: "a") { Resolver.withScope(kind, id: "a") {} }
        func life(_ kind: ScopeKind, _ id: String, _ inside: [ScopeEvent] = []) -> [ScopeEvent] {
            let scope = scope(kind, id)
            return [.opened(scope)] + inside + [.ended(scope, reason: .ended, instances: 0)]
        }
        let twice = life(kind, "a", [.sameID(scope(kind, "a"))] + life(kind, "a"))
        let others = life(kind, "a", life(kind, "b")) + life(kinds[1], "a", life(kind, "a"))
        expect(log.events, is: [.emptyID(kind)] + life(kind, "") + twice + life(kind, "a") + others)
    }

    @Test(arguments: [false, true])
    func `an observer of the end finds nothing that the scope has held`(_ isAwaited: Bool) async {
        let kind = ScopeKind("held until its end \(isAwaited)", rank: 10, binding: .execution)
        let alive = Box(0), aliveAtEnd = Box<Int?>(nil)
        let observation = ScopeContext.shared.observe { event in
            if case .ended = event, event.kind == kind { aliveAtEnd.set(alive.value) }
        }
        defer { observation.cancel() }
        let scope = ScopeContext.shared.open(kind, id: "1")
        for captured in [Counted(alive)] { scope.register(Leaf.self) { withExtendedLifetime(captured) { Leaf() } } }
        expect(alive.value, is: 1)
        if isAwaited { await scope.endAndWait() } else { scope.end() }
        expect(aliveAtEnd.value, is: 0)
    }

    @Test func `one of two concurrent scopes with the same id is reported`() {
        let kind = ScopeKind("twins", rank: 12, binding: .execution), log = ScopeLog(kind)
        for round in 0..<200 {
            let end = Rendezvous(2)
            Threads.run(2) { _ in Resolver.withScope(kind, id: "\(round)") { end.arriveAndWait() } }
        }
        expect(log.events.count { if case .sameID = $0 { true } else { false } }, is: 200)
    }
}
