import Resolver
import Testing

@Suite struct ScopeReleaseTests {
    private static let kind = ScopeKind("end", rank: 12, binding: .execution)

    private typealias First = Leaf
    private typealias Second = Holder<Leaf>

    @Test(arguments: [false, true])
    func `a hook that looks for an ending instance finds nothing and releases nothing`(_ isAwaited: Bool) async throws {
        let order = Box<[String]>([]), handle = ScopeContext.shared.open(Self.kind, id: "looking")
        let older = try #require(handle.register { First() }).scope(.cached)
        if isAwaited {
            older.onRelease { _ in await yielding(order.append("older")) }
        } else {
            older.onRelease { _ in order.append("older") }
        }
        try #require(handle.register { Second(First()) }).scope(.cached).onRelease { _ in
            let found = ResolverScope.cached.existing(registration: older.registration, resolver: .main)
            order.append(found == nil ? "nothing" : "something")
            ResolverScope.cached.release(older.registration)
            older.scope(.unique)
            order.append("younger")
        }
        await handle.run { () async in _ = (Resolver.resolve(First.self), Resolver.resolve(Second.self)) }
        if isAwaited { await handle.endAndWait() } else { handle.end() }
        expect(order.value, is: ["nothing", "younger", "older"])
    }

    @Test func `a creation task is cancelled with its scope and its late instance is released`() async throws {
        let resolver = Resolver(), pause = Pause(), isGone = Gate(), wasCancelled = Box(false), isReleased = Box(false)
        resolver.register { () -> DeinitCallback in
            wasCancelled.set(await pause.suspending(Task.isCancelled))
            return DeinitCallback { isGone.open() }
        }.scoped(to: Self.kind).onRelease { _ in isReleased.set(true) }
        let handle = ScopeContext.shared.setCurrent(Self.kind, id: "creation")
        let waiting = Task { try await handle.resolveAsync(DeinitCallback.self, in: resolver) }
        await pause.hasBegun.pass()
        handle.end()
        await expect(waiting.result.resolutionError?.code, is: .scopeEnded)
        pause.mayEnd.open()
        await isGone.pass()
        expect(wasCancelled.value)
        expect(isReleased.value)
    }

    /// The clock is read last before the instance is kept. The caller does not wait for the hook.
    @Test func `an instance is released if its scope ends just before it is kept`() async {
        await #expect(processExitsWith: .success) {
            let isMade = Box(false), released = Box(0), isGone = Gate()
            let handle = ScopeContext.shared.open(.request, id: "ending")
            Resolver.register {
                await yielding(isMade.set(true))
                return DeinitCallback { isGone.open() }
            }.scoped(to: .request).timeToLive(60).onRelease { _ in _ = released.increment() }
            Resolver.clock = ResolverClock {
                if isMade.value { handle.end() }
                return 0
            }
            let result = await Task { try await handle.resolveAsync(DeinitCallback.self) }.result
            expect(result.resolutionError?.code, is: .scopeEnded)
            await isGone.pass()
            expect(released.value, is: 1)
        }
    }

    @Test func `the end of a scope releases the instance of a creation task while other tasks run`() async throws {
        let alive = Box(0)
        for _ in 0..<400 {
            try await Tasks.results(16) { number in
                await Resolver.withScope(.request, id: "burst \(number)") {
                    await Resolver.registerAsyncScoped(Counted.self, scope: .request) { await yielding(Counted(alive)) }
                    _ = try? await Resolver.resolveAsync(Counted.self)
                }
            }
            guard alive.value == 0 else { break }
        }
        expect(alive.value, is: 0)
    }

    @Test func `a hook that waits for a creation task of its scope gets an error`() async {
        await #expect(processExitsWith: .success) {
            let resolver = Resolver(), hasStarted = Gate()
            resolver.register { () async throws -> Second in
                hasStarted.open()
                // Ends when it is cancelled.
                try await Gate().passUnlessCancelled()
                return Second(First())
            }.scoped(to: Self.kind)
            let waiting = Box<Task<Second, any Error>?>(nil)
            resolver.register { First() }.scoped(to: Self.kind).onRelease { _ in
                await expect(waiting.value?.result.resolutionError?.code, is: .scopeEnded)
            }
            await Resolver.withScope(Self.kind, id: "hook and creation") {
                _ = resolver.resolve(First.self)
                waiting.set(Task { try await resolver.resolveAsync(Second.self) })
                await hasStarted.pass()
            }
        }
    }
}
