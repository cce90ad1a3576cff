import Resolver
import Testing

/// What tells how much is open: for how long, with how many instances, and left behind by whom.
@Suite struct OpenScopesTests {
    private static func kind(_ name: String, _ binding: ScopeKind.Binding = .execution) -> ScopeKind {
        ScopeKind("open, " + name, rank: 10, binding: binding)
    }

    private static func open(_ kind: ScopeKind) -> [ScopeHandle] {
        ScopeContext.shared.openScopes().filter { $0.kind == kind }
    }

    // MARK: How many instances

    @Test func `two nested scopes have separate instance counts`() {
        let kind = Self.kind("two"), resolver = Resolver()
        resolver.register { Leaf() }.scoped(to: kind)
        Resolver.withScope(kind, id: "outer") {
            Resolver.withScope(kind, id: "inner") {
                _ = resolver.resolve(Leaf.self)
                #expect(Self.open(kind).map(\.id) == ["outer", "inner"])
                #expect(Self.open(kind).map(\.instanceCount) == [0, 1])
            }
        }
        #expect(Self.open(kind).isEmpty)
    }

    // MARK: What was forgotten

    @Test func `a scope that was never cleared is found with its kind id age and count`() async {
        await #expect(processExitsWith: .success) {
            let time = ManualTime(100)
            Resolver.clock = time.clock
            Resolver.register { Leaf() }.scoped(to: .request)
            await Task {
                ScopeContext.shared.setCurrent(.request, id: "forgotten")
                _ = Resolver.resolve(Leaf.self)
            }.value
            time.advance(by: 60)
            ScopeContext.shared.setCurrent(.screen, id: "home")
            time.advance(by: 2.5)
            #expect(ScopeContext.shared.currentID(for: .request) == nil)
            let open = ScopeContext.shared.openScopes()
            #expect(open.map(\.kind) == [.request, .screen])
            #expect(open.map(\.id) == ["forgotten", "home"])
            #expect(open.map(\.age) == [62.5, 2.5])
            #expect(open.map(\.instanceCount) == [1, 0])
            #expect(open.filter { $0.age > 60 }.map(\.id) == ["forgotten"])
            open[0].end()
            #expect(ScopeContext.shared.openScopes().map(\.id) == ["home"])
        }
    }

    // MARK: Ending what others have left

    @Test func `ending an id ends all scopes with it also those that other tasks and threads left open`() async {
        let kind = Self.kind("forgotten"), alive = Box(0), resolver = Resolver()
        resolver.register { Counted(alive) }.scoped(to: kind)
        @Sendable func leave(_ id: String) {
            ScopeContext.shared.setCurrent(kind, id: id)
            _ = resolver.resolve(Counted.self)
        }
        for id in ["a", "b"] { await Task { leave(id) }.value }
        await Threads.result { leave("a") }
        leave("a")
        #expect(alive.value == 4)
        ScopeContext.shared.end(kind, id: "a")
        #expect(alive.value == 1)
        #expect(Self.open(kind).map(\.id) == ["b"])
        await Task.detached { ScopeContext.shared.end(kind, id: "b") }.value
        #expect(alive.value == 0)
    }

    @Test func `clearing all ends the scopes that other tasks and threads left open the youngest first`() async {
        await #expect(processExitsWith: .success) {
            let alive = Box(0), log = ScopeLog(.screen, .session, .request)
            for kind in ScopeKind.builtIn {
                Resolver.register(name: .init(kind.name)) { Counted(alive) }.scoped(to: kind)
            }
            @Sendable func leave(_ kind: ScopeKind) {
                ScopeContext.shared.setCurrent(kind, id: "left")
                _ = Resolver.resolve(Counted.self, name: .init(kind.name))
            }
            await Task.detached { leave(.session) }.value
            leave(.screen)
            await Task { leave(.request) }.value
            await Threads.result { leave(.request) }
            #expect(alive.value == 4)
            await Threads.result { ScopeContext.shared.clearAll() }
            #expect(alive.value == 0)
            #expect(ScopeContext.shared.openScopes().isEmpty)
            #expect(log.ends.map(\.kind) == [.request, .request, .screen, .session])
        }
    }
}
