import Resolver
import Testing

@Suite(.ownResolver) struct CreationEndTests {
    private struct User { let name: String }
    private final class Permissions: Sendable {
        let user: String
        init(_ user: String) { self.user = user }
    }

    /// The factory asks for the user again and again, until the scope has forgotten it or cancels the creation.
    @Test(arguments: [true, false], [true, false])
    func `no caller gets what is made without its ended scope's services`(_ hasDefault: Bool, _ isOfScope: Bool) async {
        for _ in 0..<Sanitizer.rounds(40) {
            let resolver = Resolver(), isRunning = Gate()
            if hasDefault { resolver.register { User(name: "guest") } }
            let scope = ScopeContext.shared.open(.ofTest("ends while creating"), id: "")
            scope.register { User(name: "own") }
            for index in 0..<200 { scope.register(name: .init("\(index)")) { index } }
            let make = { @Sendable () async throws -> Permissions in
                isRunning.open()
                while true {
                    let user: User = try resolver.tryResolve()
                    if user.name != "own" { return Permissions(user.name) }
                    try Task.checkCancellation()
                    await Task.yield()
                }
            }
            let options = isOfScope ? scope.register(factory: make) : resolver.register(factory: make)
            options?.scoped(to: scope.kind, required: true)
            let caller = Task { try await scope.resolveAsync(Permissions.self, in: resolver) }
            await isRunning.pass()
            scope.end()
            await expect(caller.result.resolutionError?.code, is: .scopeEnded)
        }
    }

    /// The handler of a cancellation runs when the scope has ended, and before it releases what the other scope keeps.
    @Test func `no caller gets another scope's instance without the services of the scope that registered it`() async {
        let resolver = Resolver(), hasEnded = Gate(), isOver = Gate(), areRunning = Rendezvous(2), hooks = Box(0)
        resolver.register { User(name: "guest") }
        let outer = ScopeContext.shared.open(ScopeKind("registers", rank: 25, binding: .execution), id: "")
        let inner = ScopeContext.shared.open(.ofTest("keeps"), id: "")
        outer.register { User(name: "own") }
        outer.register { () async -> Leaf in
            await withTaskCancellationHandler {
                areRunning.arrive()
                await isOver.pass()
            } onCancel: {
                hasEnded.open()
                isOver.wait()
            }
            return Leaf()
        }
        outer.register { () async throws -> Permissions in
            areRunning.arrive()
            await hasEnded.pass()
            return try Permissions((resolver.tryResolve() as User).name)
        }?
        .scoped(to: inner.kind).onRelease { _ in hooks.increment() }
        let other = Task { try await outer.resolveAsync(Leaf.self) }
        let caller = Task {
            defer { isOver.open() }
            return try await outer.run { () async throws in
                try await inner.resolveAsync(Permissions.self, in: resolver)
            }
        }
        await areRunning.gate.pass()
        await Threads.result { outer.end() }
        await expect(caller.result.resolutionError?.code, is: .scopeEnded)
        expect(hooks.value, is: 1)
        _ = await other.result
        inner.end()
    }

    private final class Transaction: Sendable { let isOver = Box(false) }

    /// - Parameter hasPasses: whether the call needs passes, because a block completes the instance.
    @Test(arguments: [1, 3], [false, true])
    func `a call gets a live instance although the time of its scope is over`(_ count: Int, _ hasPasses: Bool) async {
        for expiry in [ScopeExpiry.seconds(5), .idle(seconds: 5)] {
            let kind = ScopeKind.ofTest("expires while creating"), time = ManualTime(), resolver = Resolver()
            Resolver.main.clock = time.clock
            let pause = Pause(), callers = Callers()
            let options = resolver.register { await pause.suspending(Transaction()) }
                .scoped(to: kind, required: true).onRelease { $0.isOver.set(true) }
            if hasPasses { options.resolveProperties { _, _ in } }
            let scope = ScopeContext.shared.open(kind, id: "", expiresAfter: expiry)
            let tasks = callers.call(times: count) { try await scope.resolveAsync(Transaction.self, in: resolver) }
            await callers.untilAllWait()
            time.set(10)
            pause.mayEnd.open()
            for task in tasks { await expect((try? task.value)?.isOver.value, is: false) }
            // The next call ends the scope.
            expect(scope.existing(Transaction.self), is: nil)
            expect(!scope.isOpen)
        }
    }
}
