import Resolver
import Testing

/// The form that cannot be forgotten to be ended: `withScope`.
@Suite struct WithScopeTests {
    private static func kind(_ name: String, _ binding: ScopeKind.Binding = .execution) -> ScopeKind {
        ScopeKind("closure, " + name, rank: 10, binding: binding)
    }

    private static func open(_ kind: ScopeKind) -> [String] {
        ScopeContext.shared.openScopes().filter { $0.kind == kind }.map(\.id)
    }

    /// Left at the first number that is not even.
    private static func leave(_ numbers: [Int], _ kind: ScopeKind, _ resolver: Resolver) -> Int {
        Resolver.withScope(kind, id: "left") {
            for number in numbers {
                _ = resolver.resolve(Counted.self)
                if number % 2 == 1 { return number }
            }
            return 0
        }
    }

    private static func leaveSlowly(_ numbers: [Int], _ kind: ScopeKind, _ resolver: Resolver) async -> Int {
        await Resolver.withScope(kind, id: "left") {
            for number in numbers {
                _ = resolver.resolve(Counted.self)
                await Task.yield()
                if number % 2 == 1 { return number }
            }
            return 0
        }
    }

    @Test func `a return from the middle ends the scope`() async {
        let kind = Self.kind("return"), alive = Box(0), resolver = Resolver()
        resolver.register { Counted(alive) }.scoped(to: kind)
        #expect(Self.leave([2, 3, 4], kind, resolver) == 3)
        #expect(alive.value == 0)
        #expect(await Self.leaveSlowly([2, 3, 4], kind, resolver) == 3)
        #expect(alive.value == 0)
        #expect(Self.open(kind) == [])
        #expect(ScopeContext.shared.currentID(for: kind) == nil)
    }

    @Test func `a break out of a loop ends the scopes of its rounds`() {
        let kind = Self.kind("break"), log = ScopeLog(kind)
        for number in 0..<5 {
            if Resolver.withScope(kind, id: "\(number)", { number == 2 }) { break }
        }
        #expect(log.ends.map(\.id) == ["0", "1", "2"])
        #expect(Self.open(kind) == [])
    }

    // MARK: What is set inside and not cleared

    @Test func `what is set inside and not cleared ends with the closure the youngest first`() {
        let kind = Self.kind("set inside"), other = Self.kind("set inside, other"), alive = Box(0)
        let log = ScopeLog(kind, other), resolver = Resolver()
        for kind in [kind, other] {
            resolver.register(name: .init(kind.name)) { Counted(alive) }.scoped(to: kind)
        }
        Resolver.withScope(kind, id: "closure") {
            for (set, id) in [(kind, "first"), (other, "second"), (kind, "third")] {
                ScopeContext.shared.setCurrent(set, id: id)
                _ = resolver.resolve(Counted.self, name: .init(set.name))
            }
            #expect(alive.value == 3)
        }
        #expect(alive.value == 0)
        #expect(log.ends.map(\.id) == ["third", "second", "first", "closure"])
        #expect(ScopeContext.shared.currentID(for: kind) == nil)
        #expect(ScopeContext.shared.currentID(for: other) == nil)
    }

    @Test(arguments: [false, true])
    func `so does what tasks of the closure have set`(_ throwsAtTheEnd: Bool) async {
        let kind = Self.kind("set by tasks \(throwsAtTheEnd)"), alive = Box(0), resolver = Resolver()
        resolver.register { Counted(alive) }.scoped(to: kind)
        @Sendable func forget(_ id: String) async {
            ScopeContext.shared.setCurrent(kind, id: id)
            await Task.yield()
            _ = resolver.resolve(Counted.self)
        }
        let result = await outcome {
            try await Resolver.withScope(kind, id: "closure") {
                async let child: Void = forget("child")
                await Task { await forget("task") }.value
                await child
                #expect(Set(WithScopeTests.open(kind)) == ["closure", "child", "task"])
                #expect(ScopeContext.shared.currentID(for: kind) == "closure")
                if throwsAtTheEnd { throw Failure(number: 1) }
            }
        }
        #expect(result.error as? Failure == (throwsAtTheEnd ? Failure(number: 1) : nil))
        #expect(Self.open(kind) == [])
        #expect(alive.value == 0)
    }

    @Test func `what was set outside is current again afterwards`() async {
        let kind = Self.kind("set outside"), resolver = Resolver()
        resolver.register { Leaf() }.scoped(to: kind)
        let outer = ScopeContext.shared.setCurrent(kind, id: "outer")
        defer { outer.end() }
        let leaf: Leaf = resolver.resolve()
        await Resolver.withScope(kind, id: "inner") {
            await Task.yield()
            #expect(resolver.resolve(Leaf.self) !== leaf)
        }
        #expect(ScopeContext.shared.current(kind) === outer)
        #expect(resolver.resolve(Leaf.self) === leaf)
    }

    // MARK: Its tasks

    @Test func `every task of the closure sees the scope and a detached one does not`() async {
        let kind = Self.kind("tasks"), resolver = Resolver()
        resolver.register { Leaf() }.scoped(to: kind)
        @Sendable func see() -> Leaf { resolver.resolve() }
        await Resolver.withScope(kind, id: "1") {
            let leaf = see()
            async let child = see()
            let seen = [
                await child, await Task { see() }.value, await Task { @MainActor in see() }.value,
                await Task { await Task { see() }.value }.value,
            ]
            #expect(seen.allSatisfy { $0 === leaf })
            let detached = await Task.detached { see() }.value
            #expect(detached !== leaf)
        }
    }

    @Test func `a task that outlives it gets instances that nobody keeps and the event tells`() async throws {
        let kind = Self.kind("outlived"), hasEnded = AsyncGate(), alive = Box(0), resolver = Resolver()
        resolver.register { Counted(alive) }.scoped(to: kind)
        let log = ScopeLog(kind)
        let task = await Resolver.withScope(kind, id: "1") {
            Task {
                try await hasEnded.wait()
                #expect(ScopeContext.shared.currentID(for: kind) == nil)
                _ = resolver.resolve(Counted.self)
            }
        }
        hasEnded.open()
        try await task.value
        #expect(alive.value == 0)
        #expect(
            log.events.last
                == .resolvedInEndedScope(.init(kind: kind, id: "1"), service: "ResolverTests.Counted"))
    }

    @Test func `a further scope inside a boundary inherits too`() async {
        let job = ScopeKind("job in a boundary", rank: 12, binding: .execution)
        let seen = await ScopeContext.boundary {
            await Resolver.withScope(.session, id: "session") {
                ScopeContext.shared.setCurrent(job, id: "job")
                async let seen = ScopeContext.shared.currentID(for: job)
                return await seen
            }
        }
        #expect(seen == "job")
    }
}
