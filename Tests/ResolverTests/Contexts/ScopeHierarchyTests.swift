import Resolver
import Testing

@Suite struct ScopeHierarchyTests {
    private let context = ScopeContext.shared

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

    /// Each step sets a scope with an id, or clears, and has its events. Each scope keeps one instance.
    @Test func `every set or clear after every other has its events, one open scope at most and no instance left`() {
        let kind = ScopeKind("every order", rank: 20, binding: .process), context = ScopeContext.shared
        let log = ScopeLog(kind), alive = Box(0), frame = ScopeEvent.Scope(kind: kind, id: "frame")
        let home = ScopeEvent.Scope(kind: kind, id: "home")
        func end(_ scope: ScopeEvent.Scope, _ reason: ScopeEvent.Reason) -> ScopeEvent {
            .ended(scope, reason: reason, instances: 1)
        }
        let steps: [(id: String?, events: [ScopeEvent])] = [
            (nil, [.clearedWithoutScope(kind)]), ("frame", [.opened(frame)]), ("frame", []),
            ("home", [end(frame, .replaced), .opened(home)]), ("home", []),
            ("frame", [end(home, .replaced), .opened(frame)]), (nil, [end(frame, .cleared)]),
            ("home", [.opened(home)]), (nil, [end(home, .cleared)]), (nil, [.clearedWithoutScope(kind)]),
        ]
        for (number, step) in steps.enumerated() {
            if let id = step.id {
                context.setCurrent(kind, id: id)
                Resolver.registerScoped(Counted.self, name: "every order", scope: kind) { Counted(alive) }
                _ = Resolver.resolve(Counted.self, name: "every order")
            } else {
                context.clear(kind)
            }
            expect(log.events, is: steps[...number].flatMap(\.events), "step \(number)")
            expect(context.openIDs(of: kind), is: step.id.map { [$0] } ?? [], "step \(number)")
            expect(context.currentID(for: kind), is: step.id, "step \(number)")
            expect(alive.value, is: step.id == nil ? 0 : 1, "step \(number)")
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

    @Test(arguments: [ScopeKind.Binding.execution, .process])
    func `scopes set inside and not cleared end with the closure, the youngest first`(_ binding: ScopeKind.Binding) {
        let kind = ScopeKind.ofTest("set inside, \(binding)", binding)
        let other = ScopeKind.ofTest("set inside, other, \(binding)"), log = ScopeLog(kind, other)
        let resolver = Resolver(), alive = Box(0)
        for kind in [kind, other] { resolver.register(name: .init(kind.name)) { Counted(alive) }.scoped(to: kind) }
        context.setCurrent(kind, id: "outer")
        Resolver.withScope(kind, id: "closure") {
            for (set, id) in [(kind, "first"), (other, "second"), (kind, "third")] {
                context.setCurrent(set, id: id)
                expect(context.currentID(for: set), is: id)
                _ = resolver.resolve(Counted.self, name: .init(set.name))
            }
            expect(alive.value, is: 3)
        }
        expect(alive.value, is: 0)
        expect(log.ends.map(\.id), is: ["third", "second", "first", "closure"])
        expect(context.currentID(for: kind), is: "outer")
        expect(context.currentID(for: other), is: nil)
        context.clear(kind)
    }

    @Test(arguments: [false, true])
    func `scopes that a closure's tasks set and do not clear end with the closure`(_ throwsAtTheEnd: Bool) async {
        let kind = ScopeKind.ofTest("set by tasks \(throwsAtTheEnd)"), alive = Box(0), resolver = Resolver()
        resolver.register { Counted(alive) }.scoped(to: kind)
        @Sendable func forget(_ id: String) async {
            context.setCurrent(kind, id: id)
            _ = await yielding(resolver.resolve(Counted.self))
        }
        let result = await outcome {
            try await Resolver.withScope(kind, id: "closure") {
                async let child: Void = forget("child")
                await Task { await forget("task") }.value
                await child
                expect(Set(context.openIDs(of: kind)), is: ["closure", "child", "task"])
                expect(context.currentID(for: kind), is: "closure")
                if throwsAtTheEnd { throw Failure(number: 1) }
            }
        }
        expect(result.error as? Failure, is: throwsAtTheEnd ? Failure(number: 1) : nil)
        expect(context.openIDs(of: kind), is: [])
        expect(alive.value, is: 0)
    }

    @Test func `a chain of tasks, each begun inside the scopes of the one before, holds no earlier scopes`() async {
        final class First: @unchecked Sendable { weak var scope: ScopeHandle? }
        let kinds = [ScopeKind.ofTest("chain"), .ofTest("chain, inner")], first = First()
        let tasks = Box<[Task<Void, Never>]>([])
        let haveEnded = [Gate(), Gate(), Gate()], isLast = Gate(), mayEnd = Gate()
        @Sendable func link(_ index: Int) async {
            await Resolver.withScope(kinds[0], id: "\(index)") {
                await Resolver.withScope(kinds[1], id: "\(index)") {
                    if index == 0 { first.scope = context.current(kinds[0]) }
                    if index == 2 {
                        isLast.open()
                        return await mayEnd.pass()
                    }
                    tasks.append(
                        Task {
                            await haveEnded[index].pass()
                            await link(index + 1)
                        })
                }
            }
            haveEnded[index].open()
        }
        await link(0)
        await isLast.pass()
        await tasks.value.first?.value
        expect(first.scope, is: nil)
        mayEnd.open()
        await tasks.value.last?.value
    }

    @Test func `a further scope inside a boundary inherits too`() async {
        let job = ScopeKind("job in a boundary", rank: 12, binding: .execution)
        let seen = await ScopeContext.boundary {
            await Resolver.withScope(.session, id: "session") {
                context.setCurrent(job, id: "job")
                async let seen = context.currentID(for: job)
                return await seen
            }
        }
        expect(seen, is: "job")
    }
}
