import Resolver
import Testing

/// Setting, asking and clearing.
@Suite struct ScopeContextTests {
    private let context = ScopeContext.shared

    private static func kind(_ name: String, _ binding: ScopeKind.Binding = .process, rank: Int = 20) -> ScopeKind {
        ScopeKind("context " + name, rank: rank, binding: binding)
    }

    // MARK: Who may call

    @Test func `there is one context`() {
        #expect(ScopeContext.shared === ScopeContext.shared)
    }

    @Test func `synchronous code sets and clears`() {
        let kind = Self.kind("synchronous")
        context.setCurrent(kind, id: "a")
        #expect(context.currentID(for: kind) == "a")
        context.clear(kind)
    }

    @Test func `asynchronous code sets and clears without waiting`() async {
        let kind = Self.kind("asynchronous")
        await Task.yield()
        context.setCurrent(kind, id: "a")
        #expect(context.currentID(for: kind) == "a")
        context.clear(kind)
    }

    @Test func `an actor sets and clears without waiting`() async {
        actor Server {
            func visit(_ kind: ScopeKind) -> String? {
                ScopeContext.shared.setCurrent(kind, id: "a")
                defer { ScopeContext.shared.clear(kind) }
                return ScopeContext.shared.currentID(for: kind)
            }
        }
        #expect(await Server().visit(Self.kind("actor")) == "a")
    }

    @MainActor @Test func `the main actor sets and clears without waiting`() {
        let kind = Self.kind("main actor")
        context.setCurrent(kind, id: "a")
        #expect(context.currentID(for: kind) == "a")
        context.clear(kind)
    }

    @Test func `eight threads may set ask resolve and clear at once`() {
        let bound = Self.kind("threads, process"), own = Self.kind("threads, execution", .execution, rank: 10)
        let alive = Box(0), resolver = Resolver()
        resolver.register(name: "bound") { Counted(alive) }.scoped(to: bound)
        resolver.register(name: "own") { Counted(alive) }.scoped(to: own)
        let foreign = Box(0)
        Threads.run(8) { thread in
            for round in 0..<1000 {
                ScopeContext.shared.setCurrent(bound, id: "\((thread + round) % 3)")
                let scope = ScopeContext.shared.setCurrent(own, id: "\(thread)")
                if ScopeContext.shared.currentID(for: own) != "\(thread)" { foreign.increment() }
                _ = resolver.resolve(Counted.self, name: "bound")
                _ = resolver.resolve(Counted.self, name: "own")
                scope.end()
                ScopeContext.shared.clear(bound)
            }
        }
        #expect(foreign.value == 0)
        #expect(alive.value == 0)
        #expect(!context.openScopes().contains { $0.kind == bound || $0.kind == own })
    }

    // MARK: Ids

    @Test func `an id is there from setting to clearing`() {
        let kind = Self.kind("id")
        #expect(context.currentID(for: kind) == nil)
        context.setCurrent(kind, id: "X")
        #expect(context.currentID(for: kind) == "X")
        context.clear(kind)
        #expect(context.currentID(for: kind) == nil)
    }

    @Test(arguments: ["user/123", "Detail 42", "👩‍👩‍👧 ü", "", " a\n", String(repeating: "long", count: 2500)])
    func `an id is kept as it is`(_ id: String) {
        let kind = Self.kind("verbatim", .execution)
        let scope = context.setCurrent(kind, id: id)
        #expect(context.currentID(for: kind) == id)
        #expect(scope.id == id)
        scope.end()
    }

    @Test func `setting the same id again changes nothing`() {
        let kind = Self.kind("same id"), resolver = Resolver()
        resolver.register { Leaf() }.scoped(to: kind)
        let scope = context.setCurrent(kind, id: "a")
        let leaf: Leaf = resolver.resolve()
        #expect(context.setCurrent(kind, id: "a") === scope)
        #expect(resolver.resolve(Leaf.self) === leaf)
        scope.end()
    }

    @Test func `setting another id ends the scope before`() {
        let kind = Self.kind("other id"), resolver = Resolver()
        resolver.register { Leaf() }.scoped(to: kind)
        let log = ScopeLog(kind)
        let first = context.setCurrent(kind, id: "a")
        weak let leaf = resolver.resolve(Leaf.self)
        let second = context.setCurrent(kind, id: "b")
        #expect(leaf == nil)
        #expect(!first.isOpen)
        #expect(log.ends == [.init(kind: kind, id: "a", reason: .replaced, instances: 1)])
        second.end()
    }

    @Test func `a nested scope of an execution hides the outer one until it is cleared`() {
        let kind = Self.kind("nested", .execution), resolver = Resolver()
        resolver.register { Leaf() }.scoped(to: kind)
        context.setCurrent(kind, id: "outer")
        let outer: Leaf = resolver.resolve()
        context.setCurrent(kind, id: "inner")
        #expect(context.currentID(for: kind) == "inner")
        #expect(resolver.resolve(Leaf.self) !== outer)
        context.clear(kind)
        #expect(context.currentID(for: kind) == "outer")
        #expect(resolver.resolve(Leaf.self) === outer)
        context.clear(kind)
    }

    @Test func `ensuring begins a scope only where none is current`() {
        let kind = Self.kind("ensured")
        let first = context.ensureCurrent(kind, id: "a")
        #expect(first.id == "a")
        #expect(context.ensureCurrent(kind, id: "b") === first)
        #expect(context.currentID(for: kind) == "a")
        first.end()
        #expect(context.ensureCurrent(kind, id: "b").id == "b")
        context.clear(kind)
    }

    // MARK: Clearing

    @Test func `clearing a kind leaves the others as they are`() {
        let kinds = [Self.kind("one"), Self.kind("two"), Self.kind("three", .execution)]
        let resolver = Resolver()
        for kind in kinds {
            resolver.register(name: .init(kind.name)) { Leaf() }.scoped(to: kind)
            context.setCurrent(kind, id: kind.name)
        }
        let before = kinds.map { resolver.resolve(Leaf.self, name: .init($0.name)) }
        context.clear(kinds[0])
        #expect(kinds.map { context.currentID(for: $0) } == [nil, kinds[1].name, kinds[2].name])
        #expect(resolver.resolve(Leaf.self, name: .init(kinds[1].name)) === before[1])
        #expect(resolver.resolve(Leaf.self, name: .init(kinds[2].name)) === before[2])
        for kind in kinds[1...] { context.clear(kind) }
    }

    @Test func `clearing releases all instances before it returns`() {
        let kind = Self.kind("released"), alive = Box(0), resolver = Resolver()
        let scope = context.setCurrent(kind, id: "a")
        scope.register(Counted.self, name: "local") { Counted(alive) }
        for name in ["one", "two"] { resolver.register(name: .init(name)) { Counted(alive) }.scoped(to: kind) }
        for name in ["one", "two", "local"] { _ = resolver.resolve(Counted.self, name: .init(name)) }
        #expect(alive.value == 3)
        #expect(scope.instanceCount == 3)
        context.clear(kind)
        #expect(alive.value == 0)
        #expect(scope.instanceCount == 0)
        #expect(resolver.optional(Counted.self, name: "local") == nil)
    }

    @Test func `clearing cancels what is being made`() async throws {
        let kind = Self.kind("cancelled"), hasStarted = AsyncGate(), isNeverOpened = AsyncGate(), resolver = Resolver()
        resolver.register { () async throws -> Leaf in
            hasStarted.open()
            try await isNeverOpened.wait()
            return Leaf()
        }.scoped(to: kind)
        context.setCurrent(kind, id: "a")
        let caller = Task { try await resolver.resolveAsync(Leaf.self) }
        try await hasStarted.wait()
        context.clear(kind)
        let error = await #expect(throws: ResolutionError.self) { try await caller.value }
        #expect(error?.code == .scopeEnded)
    }

    @Test func `clearing with nothing set says so and does nothing`() {
        let kind = Self.kind("nothing"), log = ScopeLog(kind)
        context.clear(kind)
        #expect(log.events == [.clearedWithoutScope(kind)])
    }

    @Test func `clearing by id clears no other`() {
        let kind = Self.kind("by id")
        let scope = context.setCurrent(kind, id: "a")
        context.clear(kind, id: "b")
        #expect(scope.isOpen)
        context.clear(kind, id: "a")
        #expect(!scope.isOpen)
        #expect(context.currentID(for: kind) == nil)
    }

    @Test func `what is never cleared is found among the open scopes`() {
        struct Service {}
        let kind = Self.kind("left open")
        let scope = context.setCurrent(kind, id: "a")
        // A type of its own: the scope is current for other tests, too.
        scope.register { Service() }
        _ = scope.resolve(Service.self)
        let open = context.openScopes().filter { $0.kind == kind }
        #expect(open.map(\.id) == ["a"])
        #expect(open.map(\.instanceCount) == [1])
        scope.end()
        #expect(!context.openScopes().contains { $0.kind == kind })
    }

    @Test func `threads that set one id at once share one scope`() {
        let kind = ScopeKind("set at once", rank: 20, binding: .process)
        defer { ScopeContext.shared.clear(kind) }
        for round in 0..<200 {
            let handles = Box<[ScopeHandle]>([])
            Threads.run(4) { _ in
                let handle = ScopeContext.shared.setCurrent(kind, id: "\(round)")
                handles.update { $0.append(handle) }
            }
            #expect(handles.value.allSatisfy { $0 === ScopeContext.shared.current(kind) })
        }
        #expect(ScopeContext.shared.openScopes().filter { $0.kind == kind }.count == 1)
    }

    @Test func `what is set inside a closure of the same kind stays in there`() {
        let kind = ScopeKind("set inside", rank: 20, binding: .process)
        ScopeContext.shared.setCurrent(kind, id: "of the process")
        defer { ScopeContext.shared.clear(kind) }
        let inner = Resolver.withScope(kind, id: "of the closure") {
            let inner = ScopeContext.shared.setCurrent(kind, id: "inner")
            #expect(ScopeContext.shared.currentID(for: kind) == "inner")
            return inner
        }
        #expect(!inner.isOpen)
        #expect(ScopeContext.shared.currentID(for: kind) == "of the process")
    }
}
