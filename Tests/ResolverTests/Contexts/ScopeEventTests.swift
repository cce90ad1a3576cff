import Resolver
import Testing

/// What an observer is told.
@Suite struct ScopeEventTests {
    final class Service: Sendable {}

    private func scope(_ kind: ScopeKind, _ id: String) -> ScopeEvent.Scope {
        ScopeEvent.Scope(kind: kind, id: id)
    }

    @Test func `an observer may use the library`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let resolver = Resolver()
            resolver.register { Service() }.scoped(to: .request)
            let observation = ScopeContext.shared.observe { event in
                guard case .opened(let scope) = event, scope.kind == .request else { return }
                ScopeContext.shared.setCurrent(.screen, id: scope.id)
                _ = resolver.resolve(Service.self)
            }
            Resolver.withScope(.request, id: "1") {}
            precondition(ScopeContext.shared.currentID(for: .screen) == "1")
            observation.cancel()
            Resolver.withScope(.request, id: "2") {}
            precondition(ScopeContext.shared.currentID(for: .screen) == "1")
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

    @Test func `one of two concurrent scopes with the same id is reported`() {
        let kind = ScopeKind("twins", rank: 12, binding: .execution)
        let twins = Box(0)
        let observation = ScopeContext.shared.observe { event in
            if case .sameID(let scope) = event, scope.kind == kind { twins.increment() }
        }
        defer { observation.cancel() }
        for round in 0..<200 {
            let end = Rendezvous(2)
            Threads.run(2) { _ in Resolver.withScope(kind, id: "\(round)") { end.arriveAndWait() } }
        }
        #expect(twins.value == 200)
    }

    // MARK: Ids

    @Test func `a scope without an id is reported`() {
        let kind = ScopeKind("without an id", rank: 10, binding: .execution), log = ScopeLog(kind)
        Resolver.withScope(kind, id: "") {}
        let scope = scope(kind, "")
        #expect(log.events == [.emptyID(kind), .opened(scope), .ended(scope, reason: .ended, instances: 0)])
    }

    @Test func `a second open scope with the same id is reported and one with another id is not`() {
        let kind = ScopeKind("same id", rank: 10, binding: .execution), log = ScopeLog(kind)
        Resolver.withScope(kind, id: "a") { Resolver.withScope(kind, id: "a") {} }
        Resolver.withScope(kind, id: "a") {}
        Resolver.withScope(kind, id: "a") { Resolver.withScope(kind, id: "b") {} }
        let scope = scope(kind, "a"), end = ScopeEvent.ended(scope, reason: .ended, instances: 0)
        let twice = [ScopeEvent.opened(scope), .sameID(scope), .opened(scope), end, end]
        let inner = self.scope(kind, "b"), innerEnd = ScopeEvent.ended(inner, reason: .ended, instances: 0)
        #expect(log.events == twice + [.opened(scope), end, .opened(scope), .opened(inner), innerEnd, end])
    }

    @Test func `two kinds may have the same id`() {
        let kinds = [10, 20].map { ScopeKind("same id, other kind", rank: $0, binding: .execution) }
        let log = ScopeLog(kinds[0], kinds[1])
        Resolver.withScope(kinds[1], id: "a") { Resolver.withScope(kinds[0], id: "a") {} }
        #expect(!log.events.contains { if case .sameID = $0 { true } else { false } })
    }

    @Test func `an event is printed shortly`() {
        let scope = ScopeEvent.Scope(kind: .screen, id: "Home")
        #expect("\(ScopeEvent.ended(scope, reason: .replaced, instances: 2))".contains("reason: replaced"))
    }

    @Test func `an observer does not get the events that it causes`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let resolver = Resolver(), told = Box(0)
            resolver.register { Service() }.scoped(to: .request)
            let observation = ScopeContext.shared.observe { event in
                // What the app registers at its start is told as well.
                guard case .resolvedWithoutScope = event else { return }
                told.increment()
                _ = resolver.resolve(Service.self)
            }
            _ = resolver.resolve(Service.self)
            Child.require(told.value == 1, "\(told.value)")
            observation.cancel()
        }
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
        for captured in [Counted(alive)] {
            scope.register(Leaf.self) { withExtendedLifetime(captured) { Leaf() } }
        }
        #expect(alive.value == 1)
        if isAwaited { await scope.endAndWait() } else { scope.end() }
        #expect(aliveAtEnd.value == 0)
    }
}
