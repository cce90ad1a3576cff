import Resolver
import Testing

/// A waiter gets what its creation task has made, also if the scope ends before the waiter runs.
@Suite struct LateWaiterTests {
    enum Form: CaseIterable { case optional, required, forEachArgument }
    enum Change: CaseIterable { case nothing, reset, registration, removal }

    private static let kind = ScopeKind("late waiters", rank: 16, binding: .execution)

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
        let kind = isOfProcess ? ScopeKind.ofTest("late waiters, \(registered)", .process) : Self.kind
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
        let handle = ScopeContext.shared.open(Self.kind, id: "1")
        let registration = resolver.register { runs.increment() == 1 ? pause.blocking(Leaf()) : Leaf() }
        registration.scoped(to: Self.kind, required: form == .required)
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
