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

    @Test(arguments: [ScopeKind.Binding.execution, .process])
    func `a scope counts the instances that it keeps`(_ binding: ScopeKind.Binding) {
        final class Own: Sendable {}
        let kind = Self.kind("counting \(binding)", binding), resolver = Resolver()
        let scope = ScopeContext.shared.setCurrent(kind, id: "1")
        defer { scope.end() }
        func counts() -> [Int] { [scope.instanceCount] + Self.open(kind).map(\.instanceCount) }
        resolver.register { Leaf() }.scoped(to: kind)
        resolver.register { 7 }.scoped(to: kind)
        resolver.register { OtherLeaf() }.scope(.cached)
        Resolver.registerScoped(Own.self, name: .init(kind.name), scope: kind) { Own() }
        #expect(counts() == [0, 0])
        for _ in 1...2 {
            _ = resolver.resolve(Leaf.self)
            #expect(counts() == [1, 1])
        }
        _ = (resolver.resolve(Int.self), resolver.resolve(OtherLeaf.self))
        _ = Resolver.resolve(Own.self, name: .init(kind.name))
        #expect(counts() == [3, 3])
    }

    @Test func `what could not be made and what was released does not count`() {
        let kind = Self.kind("released"), resolver = Resolver()
        resolver.register { () throws -> Leaf in throw Failure() }.scoped(to: kind)
        resolver.register { OtherLeaf() }.scoped(to: kind)
        let scope = ScopeContext.shared.setCurrent(kind, id: "1")
        defer { scope.end() }
        #expect(throws: ResolutionError.self) { try resolver.tryResolve(Leaf.self) }
        #expect(scope.instanceCount == 0)
        _ = resolver.resolve(OtherLeaf.self)
        #expect(scope.instanceCount == 1)
        resolver.register { OtherLeaf() }.scoped(to: kind)
        #expect(scope.instanceCount == 0)
    }

    @Test func `two scopes count for themselves`() {
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

    @Test func `a session that grows shows it`() async {
        await #expect(processExitsWith: .success) {
            let session = ScopeContext.shared.setCurrent(.session, id: "ada")
            var counts: [Int] = []
            for number in 0..<3 {
                counts.append(session.instanceCount)
                Resolver.registerScoped(Leaf.self, name: .init("\(number)"), scope: .session) { Leaf() }
                _ = Resolver.resolve(Leaf.self, name: .init("\(number)"))
                ScopeContext.shared.setCurrent(.screen, id: "\(number)")
            }
            #expect(counts == [0, 1, 2])
            #expect(ScopeContext.shared.openScopes().map(\.instanceCount) == [3, 0])
        }
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
        }
    }

    @Test func `requests that are open for too long are found by their age`() async {
        await #expect(processExitsWith: .success) {
            let time = ManualTime()
            Resolver.clock = time.clock
            let slow = ScopeContext.shared.open(.request, id: "slow")
            time.advance(by: 5)
            let quick = ScopeContext.shared.open(.request, id: "quick")
            func tooLong() -> [String] {
                ScopeContext.shared.openScopes().filter { $0.kind == .request && $0.age > 5 }.map(\.id)
            }
            #expect(tooLong() == [])
            time.advance(by: 1)
            #expect(tooLong() == ["slow"])
            slow.end()
            time.advance(by: 5)
            #expect(tooLong() == ["quick"])
            quick.end()
            #expect(tooLong() == [])
        }
    }

    // MARK: Ending what others have left

    @Test func `any task may end what another has forgotten`() async {
        let kind = Self.kind("forgotten"), alive = Box(0), resolver = Resolver()
        resolver.register { Counted(alive) }.scoped(to: kind)
        for id in ["a", "b", "a"] {
            await Task {
                ScopeContext.shared.setCurrent(kind, id: id)
                _ = resolver.resolve(Counted.self)
            }.value
        }
        #expect(alive.value == 3)
        await Task.detached { ScopeContext.shared.end(kind, id: "a") }.value
        #expect(alive.value == 1)
        #expect(Self.open(kind).map(\.id) == ["b"])
        ScopeContext.shared.end(kind, id: "b")
        #expect(alive.value == 0)
    }

    @Test func `clearing all releases what other tasks and threads have left open`() async {
        await #expect(processExitsWith: .success) {
            let alive = Box(0)
            for kind in ScopeKind.builtIn {
                Resolver.register(name: .init(kind.name)) { Counted(alive) }.scoped(to: kind)
            }
            @Sendable func leave(_ kind: ScopeKind) {
                ScopeContext.shared.setCurrent(kind, id: "left")
                _ = Resolver.resolve(Counted.self, name: .init(kind.name))
            }
            await Task { leave(.request) }.value
            await Threads.result { leave(.request) }
            await Task.detached { leave(.session) }.value
            leave(.screen)
            #expect(alive.value == 4)
            await Threads.result { ScopeContext.shared.clearAll() }
            #expect(alive.value == 0)
            #expect(ScopeContext.shared.openScopes().isEmpty)
        }
    }
}
