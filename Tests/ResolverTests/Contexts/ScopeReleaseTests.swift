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

    /// The clock is asked whether the first session is over, and the second one is there before it has answered.
    @Test func `an instance requested while another scope replaces the found one is kept by that other scope`() async {
        await #expect(processExitsWith: .success) {
            let isArmed = Box(false), resolver = Resolver()
            Resolver.clock = ResolverClock {
                if isArmed.exchange(false) { ScopeContext.shared.setCurrent(.session, id: "second") }
                return 0
            }
            resolver.register { Leaf() }.scoped(to: .session)
            ScopeContext.shared.setCurrent(.session, id: "first", expiresAfter: 100)
            isArmed.set(true)
            let leaf: Leaf = resolver.resolve()
            expect(ScopeContext.shared.currentID(for: .session), is: "second")
            expect(leaf === resolver.resolve(Leaf.self))
        }
    }

    /// The clock is read when the call has found the service, and when the old session is about to end.
    @Test func `a session keeps nothing that the one it replaces has registered, even before that ends`() async {
        await #expect(processExitsWith: .success) {
            let asked = Box(Int.min), isReplacing = Box(false), isAsking = Box(false)
            let isPlaced = Gate(), isOver = Gate(), context = ScopeContext.shared
            let thread = Box<RunningThread?>(nil), resolver = Resolver()
            Resolver.clock = ResolverClock {
                if asked.increment() == 2 {
                    isReplacing.set(true)
                    thread.set(RunningThread { context.setCurrent(.session, id: "second") })
                    isPlaced.wait()
                } else if isReplacing.value, !isAsking.exchange(true) {
                    if context.currentID(for: .session) == "second" {
                        isPlaced.open()
                        isOver.wait()
                    }
                    isAsking.set(false)
                }
                return 0
            }
            context.setCurrent(.session, id: "first", expiresAfter: 100).register { Leaf() }
            asked.set(0)
            _ = resolver.optional(Leaf.self)
            let kept = context.current(.session)?.instanceCount
            isOver.open()
            thread.value?.join()
            expect(kept, is: 0)
        }
    }

    enum Form: CaseIterable { case optional, required, forEachArgument }
    enum Change: CaseIterable { case nothing, reset, registration, removal }

    private static let waitersKind = ScopeKind("late waiters", rank: 16, binding: .execution)

    @Test(arguments: [
        "for all scopes", "for all scopes, required", "for all scopes of the process", "for the scope",
        "before another registration", "behind a protocol", "behind a protocol, required",
    ])
    func `a late waiter gets its creation task's instance`(_ registered: String) async throws {
        let resolver = Resolver(), pause = Pause(), runs = Box(0), callers = Callers()
        // A call for an alias looks again when its wait is over.
        let isAlias = registered.hasPrefix("behind"), isOwn = !isAlias && !registered.hasPrefix("for all")
        // The scope of a frame is found also when it has ended, and one of the process is not.
        let isOfProcess = isAlias || registered.hasSuffix("process")
        let kind = isOfProcess ? ScopeKind.ofTest("late waiters, \(registered)", .process) : Self.waitersKind
        let handle =
            isOfProcess ? ScopeContext.shared.setCurrent(kind, id: "1") : ScopeContext.shared.open(kind, id: "1")
        @Sendable func resolve() async throws -> Player {
            try await isOfProcess ? resolver.resolveAsync() : handle.resolveAsync(in: resolver)
        }
        let factory: @Sendable () async -> Player = { await pause.suspending(runs.counting(Player())) }
        if registered.hasPrefix("before") { resolver.register { Player() } }
        let options = isOwn ? handle.register(factory: factory) : resolver.register(factory: factory)
        if !isOwn { options?.implements((any Role).self).scoped(to: kind, required: registered.hasSuffix("required")) }
        let late = callers.call { () async throws -> any Role in
            if isAlias { try await resolver.resolveAsync() } else { try await resolve() }
        }
        await pause.hasBegun.pass()
        await callers.untilAllWait()
        callers.hold()
        pause.mayEnd.open()
        let player = await outcome { try await resolve() }
        handle.end()
        callers.release()
        try await expect(late.value === player.get())
        expect(runs.value, is: 1)
    }

    /// What a thread creates while its scope ends is kept by no scope, and goes to the caller of the factory alone.
    ///
    /// - Parameter change: what happens before the end, while the thread runs the factory.
    @Test(arguments: Form.allCases, Change.allCases)
    func `a task waiting for a thread gets an error when the scope ends`(_ form: Form, _ change: Change) async throws {
        let resolver = Resolver(), pause = Pause(), runs = Box(0), callers = Callers()
        let handle = ScopeContext.shared.open(Self.waitersKind, id: "1")
        let registration = resolver.register { runs.increment() == 1 ? pause.blocking(Leaf()) : Leaf() }
        registration.scoped(to: Self.waitersKind, required: form == .required)
        if form == .forEachArgument { registration.scopeOnArguments() }
        let args = form == .forEachArgument ? 1 : nil
        let made = Box<Leaf?>(nil), waiter = Box<Result<Leaf, any Error>?>(nil)
        let thread = RunningThread { handle.run { made.set(resolver.optional(args: args)) } }
        await pause.hasBegun.pass()
        let call = callers.call {
            waiter.set(await outcome { try await handle.resolveAsync(Leaf.self, in: resolver, args: args) })
        }
        await callers.untilAllWait()
        switch change {
        case .nothing: break
        case .reset: resolver.reset(Leaf.self)
        case .registration: resolver.register { Leaf() }
        case .removal: resolver.unregister(Leaf.self)
        }
        handle.end()
        await callers.untilAllWait()
        expect(waiter.value?.resolutionError?.code, is: .scopeEnded)
        pause.mayEnd.open()
        thread.join()
        try await call.value
        expect(made.value != nil)
    }
}
