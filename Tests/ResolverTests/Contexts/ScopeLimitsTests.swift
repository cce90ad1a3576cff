import Resolver
import Testing

/// What is told of scopes that keep too much, last too long or are forgotten, and of services that no scope keeps.
@Suite(.ownResolver) struct ScopeLimitsTests {
    private let context = ScopeContext.shared, time = ManualTime(), log = ScopeLog()
    init() { Resolver.main.clock = time.clock }

    private func keep(_ count: Int, from first: Int = 0, isAsync: Bool = false) async throws {
        for name in (first..<(first + count)).map({ Resolver.Name("\($0)") }) {
            Resolver.main.register(name: name, isAsync: isAsync) { _ in Leaf() }.scoped(to: .request)
            _ = try await Resolver.resolveAsync(Leaf.self, name: name)
        }
    }

    @Test(arguments: [false, true])
    func `a scope that keeps too many instances is reported once`(_ isAsync: Bool) async throws {
        context.setLimits(.request, instances: 3)
        try await Resolver.withScope(.request, id: "1") {
            try await keep(3, isAsync: isAsync)
            expect(log.events.count, is: 1)
            try await keep(5, from: 3, isAsync: isAsync)
        }
        expect(log.events.dropFirst().dropLast(), is: [.limitExceeded(.init(kind: .request, id: "1"), instances: 3)])
    }

    @Test func `instances that a scope has released do not count`() async throws {
        context.setLimits(.request, instances: 5)
        try await Resolver.withScope(.request, id: "1") {
            try await keep(3)
            Resolver.main.reset(.scopes)
            try await keep(5, from: 3)
            expect(log.events.count, is: 1)
            try await keep(1, from: 8)
            expect(log.events.count, is: 2)
        }
    }

    @Test(arguments: ["listing of open scopes", "call that takes so long", "end"])
    func `a scope that is open for too long is reported once, by what sees it first`(_ first: String) async throws {
        context.setLimits(.request, instances: 10, secondsOpen: 5)
        Resolver.register { [time] () async in Leaf(after: time.set(6)) }.scoped(to: .request)
        try await Resolver.withScope(.request, id: "1") {
            time.set(5)
            expect(context.openScopes().count, is: 1)
            expect(log.events.count, is: 1, "exactly so long is not longer")
            if first == "call that takes so long" { _ = try await Resolver.resolveAsync(Leaf.self) }
            time.set(6)
            for _ in 0..<2 where first == "listing of open scopes" { expect(context.openScopes().count, is: 1) }
            expect(log.events.count, is: first == "end" ? 1 : 2)
        }
        expect(log.events.dropFirst().dropLast(), is: [.openLongerThan(.init(kind: .request, id: "1"), seconds: 5)])
    }

    @Test func `limits are of a kind, for scopes that begin afterwards, and can be taken back`() async {
        await Resolver.withScope(.request, id: "before") {
            context.setLimits(.request, secondsOpen: 5)
            await Resolver.withScope(.session, id: "other") { time.set(100) }
        }
        context.setLimits(.request)
        await Resolver.withScope(.request, id: "after") { time.set(200) }
        expect(!log.events.contains { if case .openLongerThan = $0 { true } else { false } })
    }

    @Test func `an instance counts once, also if its registration has kept others in another scope before`() throws {
        let kind = ScopeKind.ofTest("counted"), scope = ScopeContext.shared.open(kind, id: "")
        let options = try #require(scope.register { Leaf() })
        for change in [{}, { options.scope(.cached) }, { options.scoped(to: kind) }] {
            change()
            _ = scope.resolve(Leaf.self)
            expect(scope.instanceCount, is: 1)
        }
        scope.end()
    }

    @Test func `limits of a test are its own`() async throws {
        context.setLimits(.request, instances: 0)
        try await Resolver.runTest {
            let log = ScopeLog()
            try await Resolver.withScope(.request, id: "1") { try await keep(1) }
            expect(!log.events.contains { if case .limitExceeded = $0 { true } else { false } })
        }
    }

    // Handles that are dropped. Other tests hold open scopes while they look at all: hence exit tests.

    @Test func `a scope whose handle is released ends, is reported with its location and runs its hooks`() async {
        await #expect(processExitsWith: .success) {
            Resolver.runTest {
                let log = ScopeLog(), seen = Box<[Int]>([]), context = ScopeContext.shared
                Resolver.register { Leaf() }.scoped(to: .session).onRelease { _ in
                    seen.append(context.openScopes().count)
                    context.end(.session, id: "1")
                    context.open(.session, id: "2").end()
                }
                context.open(.session, id: "1", fileID: "App/Login.swift", line: 7).run {
                    _ = Resolver.resolve(Leaf.self)
                    expect(context.openScopes().map(\.location.description), is: ["App/Login.swift:7"])
                }
                expect(context.openScopes().isEmpty)
                expect(seen.value, is: [0])
                let scopes = ["1", "2"].map { ScopeEvent.Scope(kind: .session, id: $0) }
                let dropped = ScopeEvent.dropped(scopes[0], openedAt: .init(fileID: "App/Login.swift", line: 7))
                let other = [ScopeEvent.opened(scopes[1]), .ended(scopes[1], reason: .ended, instances: 0)]
                let end = ScopeEvent.ended(scopes[0], reason: .dropped, instances: 1)
                expect(log.events, is: [.opened(scopes[0]), dropped] + other + [end])
            }
        }
    }

    @Test func `code that runs in a scope holds it`() async {
        func run() async {
            await context.open(.session, id: "1").run {
                await Task.yield()
                expect(context.current(.session)?.id, is: "1")
            }
        }
        await run()
        expect(log.events.count, is: 3)
    }

    @Test func `instances that no scope keeps are counted and reported unless their factory fails`() async {
        let isFailing = Box(true)
        Resolver.register { () throws -> Leaf in
            if isFailing.exchange(false) { throw Failure() }
            return Leaf()
        }.scoped(to: .request)
        Resolver.register(name: "required") { Leaf() }.scoped(to: .request, required: true)
        expect(Resolver.main.failure(Leaf.self)?.code, is: .factoryFailed)
        expect(context.instancesWithoutScope(.request), is: 0)
        expect(log.events.isEmpty)
        for _ in 0..<3 { _ = Resolver.resolve(Leaf.self) }
        expect(log.events.count, is: 3)
        expect(Resolver.optional(Leaf.self, name: "required"), is: nil)
        await Resolver.withScope(.request, id: "1") { _ = Resolver.resolve(Leaf.self) }
        expect(context.instancesWithoutScope(.request), is: 3)
        expect(context.instancesWithoutScope(.session), is: 0)
    }

    @Test func `a registration that a child task does not inherit is reported although it finds another`() async {
        Resolver.register { Leaf() }
        let scope = context.setCurrent(.request, id: "1")
        await Resolver.registerScoped(Leaf.self, scope: .request) { Leaf() }
        async let fallback = Resolver.optional(Leaf.self)
        let isFound = await fallback != nil
        expect(isFound)
        expect(log.events.dropFirst(), is: [.notInherited(.request, service: "ResolverTests.Leaf")])
        scope.end()
    }

    @Test func `a value in the shared scope is reported once`() async throws {
        struct Value: Sendable { var number = 1 }
        Resolver.register { Value() }.scope(.shared)
        Resolver.register(name: "asynchronous") { () async in Value() }.scope(.shared)
        Resolver.register { Leaf() }.scope(.shared)
        for _ in 0..<3 { _ = (Resolver.resolve(Value.self), Resolver.resolve(Leaf.self)) }
        _ = try await Resolver.resolveAsync(Value.self, name: "asynchronous")
        expect(log.events.count, is: 1)
        guard case .sharedValue(let service)? = log.events.first else { return }
        expect(service.hasSuffix("Value"))
    }

    @Test func `a default scope that is set too late is reported`() {
        let resolver = Resolver()
        resolver.defaultScope = .unique
        expect(log.events.isEmpty)
        resolver.register { Leaf() }
        resolver.register(name: "2") { Leaf() }
        resolver.defaultScope = .cached
        expect(log.events, is: [.defaultScopeChanged(afterRegistrations: 2)])
    }

    @Test func `scopes are dropped outside of every lock while others are listed or end`() async {
        await #expect(processExitsWith: .success) {
            Resolver.register { Leaf() }.scoped(to: .request).onRelease { _ in _ = Resolver.optional(Double.self) }
            Threads.run(others: 4) {
                // Many keys: those of scopes that have ended are looked for.
                for round in 0..<Sanitizer.rounds(150) {
                    let session = ScopeContext.shared.open(.session, id: "s")
                    for number in 0..<70 { session.register(name: .init("\(round * 70 + number)")) { number } }
                    session.end()
                    // The last reference to a scope may be that of the list.
                    _ = ScopeContext.shared.openScopes().map(\.instanceCount)
                }
            } repeating: {
                var handles = (0..<50).map { ScopeContext.shared.open(.request, id: "\($0)") }
                for handle in handles { _ = handle.optional(Leaf.self) }
                while !handles.isEmpty { handles.removeLast() }
            }
            expect(ScopeContext.shared.openScopes().isEmpty)
        }
    }
}
