import Resolver
import Testing

/// What is let go of when a scope ends, and in which order.
@Suite struct ScopeReleaseTests {
    private static let kind = ScopeKind("end", rank: 12, binding: .execution)

    final class First: Sendable {}
    final class Second: Sendable {
        let first: First
        init(_ first: First) { self.first = first }
    }

    @Test func `hooks run in reverse order before the end returns`() {
        let order = Box<[String]>([]), resolver = Resolver()
        resolver.register { First() }.scoped(to: Self.kind).onRelease { _ in order.append("first") }
        resolver.register { Second($0.resolve()) }.scoped(to: Self.kind).onRelease { _ in order.append("second") }
        let handle = ScopeContext.shared.setCurrent(Self.kind, id: "order")
        _ = resolver.resolve(Second.self)
        #expect(handle.instanceCount == 2)
        handle.end()
        #expect(order.value == ["second", "first"])
        #expect(handle.instanceCount == 0)
        handle.end()
        #expect(order.value.count == 2)
    }

    @Test func `hooks that have to be awaited are done when the closure returns also in a cancelled task`() async {
        let order = Box<[String]>([]), resolver = Resolver()
        resolver.register { First() }.scoped(to: Self.kind).onRelease { _ in
            await Task.yield()
            order.append(Task.isCancelled ? "cancelled" : "first")
        }
        resolver.register { Second($0.resolve()) }.scoped(to: Self.kind).onRelease { _ in
            await Task.yield()
            order.append("second")
        }
        let task = Task {
            await Resolver.withScope(Self.kind, id: "awaited") {
                _ = resolver.resolve(Second.self)
                withUnsafeCurrentTask { $0?.cancel() }
                await Task.yield()
            }
            return order.value
        }
        #expect(await task.value == ["second", "first"])
    }

    @Test func `a hook that looks for what is about to go finds nothing and releases nothing`() throws {
        let order = Box<[String]>([]), handle = ScopeContext.shared.open(Self.kind, id: "looking")
        let older = try #require(handle.register { First() }).scope(.cached).onRelease { _ in order.append("older") }
        try #require(handle.register { Second(First()) }).scope(.cached).onRelease { _ in
            let found = ResolverScope.cached.existing(registration: older.registration, resolver: .main)
            order.append(found == nil ? "nothing" : "something")
            ResolverScope.cached.release(older.registration)
            older.scope(.unique)
            order.append("younger")
        }
        handle.run {
            _ = Resolver.resolve(First.self)
            _ = Resolver.resolve(Second.self)
        }
        handle.end()
        #expect(order.value == ["nothing", "younger", "older"])
    }

    @Test func `an awaited end has run the hooks of what its own hooks look for`() async throws {
        let order = Box<[String]>([]), handle = ScopeContext.shared.open(Self.kind, id: "looking")
        let older = try #require(handle.register { First() }).scope(.cached).onRelease { _ in
            await Task.yield()
            order.append("older")
        }
        try #require(handle.register { Second(First()) }).scope(.cached).onRelease { _ in
            _ = ResolverScope.cached.existing(registration: older.registration, resolver: .main)
            order.append("younger")
        }
        await handle.run { () async in
            _ = Resolver.resolve(First.self)
            _ = Resolver.resolve(Second.self)
        }
        await handle.endAndWait()
        #expect(order.value == ["younger", "older"])
    }

    @Test func `a flight is cancelled with its scope and what arrives late is released`() async throws {
        let resolver = Resolver(), hasStarted = SteadyGate(), mayFinish = SteadyGate(), isGone = SteadyGate()
        let wasCancelled = Box(false), isReleased = Box(false)
        resolver.register { () -> Farewell in
            hasStarted.open()
            await mayFinish.wait()
            wasCancelled.set(Task.isCancelled)
            return Farewell { isGone.open() }
        }.scoped(to: Self.kind).onRelease { _ in isReleased.set(true) }
        let handle = ScopeContext.shared.setCurrent(Self.kind, id: "flight")
        let waiting = Task {
            try await handle.run { () async throws in try await resolver.resolveAsync(Farewell.self) }
        }
        await hasStarted.wait()
        handle.end()
        await #expect { _ = try await waiting.value } throws: { ($0 as? ResolutionError)?.code == .scopeEnded }
        mayFinish.open()
        await isGone.wait()
        #expect(wasCancelled.value)
        #expect(isReleased.value)
    }

    @Test func `what factories of the scope have captured is gone`() {
        weak var captured: First?
        let handle = ScopeContext.shared.setCurrent(Self.kind, id: "captured")
        do {
            let first = First()
            captured = first
            Resolver.registerScoped(Second.self, scope: Self.kind) { Second(first) }
            #expect(Resolver.optional(Second.self)?.first === first)
        }
        #expect(captured != nil)
        handle.end()
        #expect(captured == nil)
        #expect(Resolver.optional(Second.self) == nil)
    }

    @Test func `an ended scope stays ended`() {
        let resolver = Resolver()
        resolver.register { First() }.scoped(to: Self.kind)
        let handle = ScopeContext.shared.setCurrent(Self.kind, id: "again")
        let first = resolver.resolve(First.self)
        ScopeContext.shared.clear(Self.kind)
        handle.register(Second.self) { Second(first) }
        handle.run {
            #expect(resolver.resolve(First.self) !== resolver.resolve(First.self))
            #expect(resolver.existing(First.self) == nil)
            #expect(resolver.optional(Second.self) == nil)
        }
        let later = ScopeContext.shared.setCurrent(Self.kind, id: "again")
        #expect(resolver.resolve(First.self) !== first)
        #expect(handle.instanceCount == 0)
        later.end()
    }

    @Test func `what a flight has made is gone with its scope whoever still runs`() async {
        let alive = Box(0)
        for _ in 0..<400 {
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<16 {
                    group.addTask {
                        await Resolver.withScope(.request, id: "burst \(number)") {
                            await Resolver.registerAsyncScoped(Counted.self, scope: .request) {
                                await Task.yield()
                                return Counted(alive)
                            }
                            _ = try? await Resolver.resolveAsync(Counted.self)
                        }
                    }
                }
            }
            guard alive.value == 0 else { break }
        }
        #expect(alive.value == 0)
    }

    @Test func `a hook that waits for a flight of its scope is told that it is over`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let resolver = Resolver(), hasStarted = SteadyGate()
            resolver.register { () async throws -> Second in
                hasStarted.open()
                // Ends when it is cancelled.
                try await AsyncGate().wait()
                return Second(First())
            }.scoped(to: Self.kind)
            let waiting = Box<Task<Second, any Error>?>(nil)
            resolver.register { First() }.scoped(to: Self.kind).onRelease { _ in
                let result = await waiting.value?.result
                guard case .failure(let error as ResolutionError) = result else { return }
                Child.require(error.code == .scopeEnded, "\(error)")
            }
            await Resolver.withScope(Self.kind, id: "hook and flight") {
                _ = resolver.resolve(First.self)
                waiting.set(Task { try await resolver.resolveAsync(Second.self) })
                await hasStarted.wait()
            }
        }
    }

    @Test func `each instance is gone before the next ones hooks run`() {
        let order = Box<[String]>([]), resolver = Resolver(), kind = Self.kind
        for name in ["first", "second"] {
            resolver.register(name: .init(name)) { Farewell { order.append("deinit " + name) } }.scoped(to: kind)
                .onRelease { _ in order.append("hook " + name) }
        }
        Resolver.withScope(kind, id: "one by one") {
            _ = resolver.resolve(Farewell.self, name: "first")
            _ = resolver.resolve(Farewell.self, name: "second")
        }
        #expect(order.value == ["hook second", "deinit second", "hook first", "deinit first"])
    }

    @Test func `the end of a resolver reaches what open scopes keep for it`() {
        let alive = Box(0)
        Resolver.withScope(Self.kind, id: "longer than its resolvers") {
            for _ in 0..<10 {
                let resolver = Resolver()
                resolver.register { Counted(alive) }.scoped(to: Self.kind)
                _ = resolver.resolve(Counted.self)
                #expect(alive.value == 1)
            }
            #expect(alive.value == 0)
        }
    }

    @Test func `the end of a resolver lets its factories go also in open scopes`() {
        weak var captured: Leaf?
        Resolver.withScope(Self.kind, id: "longer than its resolver") {
            do {
                let leaf = Leaf(), resolver = Resolver()
                captured = leaf
                resolver.register(OtherLeaf.self) { withExtendedLifetime(leaf) { OtherLeaf() } }.scoped(to: Self.kind)
                _ = resolver.resolve(OtherLeaf.self)
            }
            #expect(captured == nil)
        }
    }

    @Test func `purging and resetting reach what open scopes keep`() {
        let alive = Box(0), resolver = Resolver()
        resolver.register { Counted(alive) }.scoped(to: Self.kind).timeToLive(0, from: .creation)
        resolver.register(name: "for good") { Counted(alive) }.scoped(to: Self.kind)
        Resolver.withScope(Self.kind, id: "purged") {
            _ = (resolver.resolve(Counted.self), resolver.resolve(Counted.self, name: "for good"))
            #expect(alive.value == 2)
            resolver.purgeExpired()
            #expect(alive.value == 1)
            resolver.reset(.scopes)
            #expect(alive.value == 0)
        }
    }
}
