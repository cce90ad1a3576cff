import Resolver
import Testing

/// What an observer is told.
@Suite struct ScopeEventTests {
    final class Service: Sendable {}

    /// The events that concern a kind of the test's own.
    private func events(
        of kind: ScopeKind, _ body: () throws -> Void
    ) rethrows -> [ScopeEvent] {
        let told = Box<[ScopeEvent]>([])
        let observation = ScopeContext.shared.observe { event in
            if "\(event)".contains(kind.name) { told.append(event) }
        }
        defer { observation.cancel() }
        try body()
        return told.value
    }

    private func scope(_ kind: ScopeKind, _ id: String) -> ScopeEvent.Scope {
        ScopeEvent.Scope(kind: kind, id: id)
    }

    @Test func `the life of a scope bound to the process`() {
        let kind = ScopeKind("kind of a told life", rank: 20, binding: .process)
        let told = events(of: kind) {
            ScopeContext.shared.setCurrent(kind, id: "a")
            ScopeContext.shared.setCurrent(kind, id: "a")
            ScopeContext.shared.setCurrent(kind, id: "b")
            ScopeContext.shared.clear(kind)
            ScopeContext.shared.clear(kind)
        }
        #expect(
            told == [
                .opened(scope(kind, "a")), .ended(scope(kind, "a"), reason: .replaced, instances: 0),
                .opened(scope(kind, "b")), .ended(scope(kind, "b"), reason: .cleared, instances: 0),
                .clearedWithoutScope(kind),
            ])
    }

    @Test func `what is made without a scope or for one that has ended`() {
        let kind = ScopeKind("kind told without", rank: 10, binding: .execution)
        let service = "ResolverTests.ScopeEventTests.Service"
        let resolver = Resolver()
        resolver.register { Service() }.scoped(to: kind)
        let told = events(of: kind) {
            _ = resolver.resolve(Service.self)
            let handle = ScopeContext.shared.setCurrent(kind, id: "a")
            _ = resolver.resolve(Service.self)
            handle.end()
            handle.run { _ = resolver.resolve(Service.self) }
        }
        #expect(
            told == [
                .resolvedWithoutScope(kind, service: service), .opened(scope(kind, "a")),
                .ended(scope(kind, "a"), reason: .ended, instances: 1),
                .resolvedInEndedScope(scope(kind, "a"), service: service),
            ])
    }

    @Test func `what would become captive`() {
        let kind = ScopeKind("kind told captive", rank: 10, binding: .execution)
        let resolver = Resolver()
        resolver.register { Service() }.scoped(to: kind)
        resolver.register { [$0.resolve(Service.self)] }.scope(.cached)
        let told = events(of: kind) {
            Resolver.withScope(kind, id: "a") { _ = resolver.resolve([Service].self) }
        }
        #expect(
            told.contains(
                .captive(
                    kind, service: "ResolverTests.ScopeEventTests.Service",
                    consumer: "Swift.Array<ResolverTests.ScopeEventTests.Service>")))
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

    @Test func `the stream has what happens from now on`() async {
        let kind = ScopeKind("streamed", rank: 10, binding: .execution)
        var events = ScopeContext.shared.events.makeAsyncIterator()
        await Resolver.withScope(kind, id: "a") {}
        while let event = await events.next() {
            if event == .ended(scope(kind, "a"), reason: .ended, instances: 0) { break }
        }
    }

    @Test func `of two scopes that begin at once with one id one is reported`() {
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

    @Test func `an event is printed shortly`() {
        let scope = ScopeEvent.Scope(kind: .screen, id: "Home")
        #expect("\(ScopeEvent.ended(scope, reason: .replaced, instances: 2))".contains("reason: replaced"))
    }

    @Test func `an observer is not told what it causes itself`() async {
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
}
