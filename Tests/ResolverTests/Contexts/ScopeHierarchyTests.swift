import Resolver
import Testing

@Suite struct ScopeHierarchyTests {
    @Test func `screen session and request are built in and differ in name rank and binding`() {
        expect(ScopeKind.builtIn, is: [.screen, .session, .request])
        expect(ScopeKind.builtIn.map { "\($0)" }, is: ["screen", "session", "request"])
        expect(ScopeKind.builtIn.map(\.name), is: ["screen", "session", "request"])
        expect(ScopeKind.builtIn.sorted { $0.rank < $1.rank }, is: [.request, .screen, .session])
        expect(ScopeKind.builtIn.map(\.binding), is: [.process, .process, .execution])
    }

    @Test func `a kind of one's own is the same wherever it is written`() {
        let written = ScopeKind("job", rank: 15, binding: .execution)
        expect(written, is: ScopeKind("job", rank: 15, binding: .execution))
        expect(!ScopeKind.builtIn.contains(written))
    }

    @Test(.ownResolver, arguments: [false, true])
    func `clearing the session leaves the screen open and says so unless a cascade ends it before`(_ isCascade: Bool) {
        let log = ScopeLog(.session, .screen), context = ScopeContext.shared
        context.setCurrent(.session, id: "user")
        let handle = context.setCurrent(.screen, id: "home")
        context.clear(.session, cascade: isCascade)
        expect(handle.isOpen, is: !isCascade)
        if !isCascade { context.clear(.screen) }
        expect(context.openScopes().isEmpty)
        let session = ScopeEvent.Scope(kind: .session, id: "user"), screen = ScopeEvent.Scope(kind: .screen, id: "home")
        let ends = [session, screen].map { ScopeEvent.ended($0, reason: .cleared, instances: 0) }
        let isLeft = [ScopeEvent.outlivesParent(screen, parent: session)]
        expect(log.events, is: [.opened(session), .opened(screen)] + (isCascade ? ends.reversed() : isLeft + ends))
    }

    @Test(.ownResolver, arguments: ["is over", "is refreshed", "is another's"], [false, true])
    func `a cascade ends the screen of a session whose time is over, or which another has replaced`(
        _ session: String, _ isAwaited: Bool
    ) async throws {
        let time = ManualTime(), context = ScopeContext.shared, log = ScopeLog(.session, .screen)
        Resolver.main.clock = time.clock
        context.setCurrent(.session, id: "Ada", expiresAfter: 10)
        let screen = context.setCurrent(.screen, id: "orders")
        switch session {
        case "is over": time.set(10)
        case "is refreshed": try await context.replaceCurrent(.session, id: "Ada") {}
        default: context.setCurrent(.session, id: "Bob")
        }
        if isAwaited {
            await context.clearAndWait(.session, cascade: true)
        } else {
            context.clear(.session, cascade: true)
        }
        expect(!screen.isOpen)
        expect(context.openScopes().isEmpty)
        expect(log.ends.map(\.kind).suffix(2), is: [.screen, .session])
    }

    /// Sets a context with this id, or clears.
    private static let steps: [String?] = ["frame", "home", nil]

    /// All sequences of up to four steps.
    private static let sequences: [[String?]] = (0..<4).reduce(into: [[]]) { sequences, length in
        sequences += sequences.filter { $0.count == length }.flatMap { begun in steps.map { begun + [$0] } }
    }

    /// What one step has to tell. Each scope keeps one instance.
    private static func events(of step: String?, after current: String?, _ kind: ScopeKind) -> [ScopeEvent] {
        func scope(_ id: String) -> ScopeEvent.Scope { .init(kind: kind, id: id) }
        switch (current, step) {
        case (nil, nil): return [.clearedWithoutScope(kind)]
        case (nil, let new?): return [.opened(scope(new))]
        case (let old?, nil): return [.ended(scope(old), reason: .cleared, instances: 1)]
        case (let old?, let new?) where old == new: return []
        case (let old?, let new?): return [.ended(scope(old), reason: .replaced, instances: 1), .opened(scope(new))]
        }
    }

    @Test func `every sequence of sets and clears has its events, one open scope at most and no instance left`() {
        let kind = ScopeKind("every order", rank: 20, binding: .process), context = ScopeContext.shared
        expect(Self.sequences.count, is: 1 + 3 + 9 + 27 + 81)
        for steps in Self.sequences {
            let log = ScopeLog(kind), alive = Box(0)
            var current: String?, expected: [ScopeEvent] = []
            for step in steps {
                expected += Self.events(of: step, after: current, kind)
                current = step
                if let step {
                    context.setCurrent(kind, id: step)
                    Resolver.registerScoped(Counted.self, name: "every order", scope: kind) { Counted(alive) }
                    _ = Resolver.resolve(Counted.self, name: "every order")
                } else {
                    context.clear(kind)
                }
                expect(context.currentID(for: kind), is: current, "\(steps)")
                expect(context.openIDs(of: kind), is: current.map { [$0] } ?? [])
                expect(alive.value, is: current == nil ? 0 : 1, "\(steps)")
            }
            expect(log.events, is: expected, "\(steps)")
            context.clear(kind)
            expect(alive.value, is: 0)
        }
    }

    @Test(arguments: ["user/123", "Detail 42", "👩‍👩‍👧 ü", "", " a\n", String(repeating: "long", count: 2500)])
    func `an id is kept as it is`(_ id: String) {
        let kind = ScopeKind.ofTest("verbatim"), context = ScopeContext.shared, scope = context.setCurrent(kind, id: id)
        expect(context.currentID(for: kind), is: id)
        expect(scope.id, is: id)
        scope.end()
    }

    @Test(.ownResolver) func `a scope that was never cleared is found with its kind id age and count`() async {
        let time = ManualTime(100)
        Resolver.main.clock = time.clock
        Resolver.register { Leaf() }.scoped(to: .request)
        await Task {
            ScopeContext.shared.setCurrent(.request, id: "forgotten")
            _ = Resolver.resolve(Leaf.self)
        }.value
        time.advance(by: 60)
        ScopeContext.shared.setCurrent(.screen, id: "home")
        time.advance(by: 2.5)
        expect(ScopeContext.shared.currentID(for: .request), is: nil)
        let open = ScopeContext.shared.openScopes()
        let found = open.map { "\($0.kind) \($0.id), \($0.age) s, \($0.instanceCount)" }
        expect(found, is: ["request forgotten, 62.5 s, 1", "screen home, 2.5 s, 0"])
        open[0].end()
        expect(ScopeContext.shared.openScopes().map(\.id), is: ["home"])
    }
}
