import Foundation
import Resolver
import Testing

/// A creation task starts on the thread of its caller, which waits for it in any case, where no other code could notice.
@Suite struct CreationStartTests {
    private static var thread: Int { Int(bitPattern: ObjectIdentifier(Thread.current)) }

    private let resolver = Resolver()

    @Test func `a creation starts on the thread of a caller without an actor`() async throws {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        resolver.register { () async in CreationStartTests.thread }.scope(.cached)
        let thread = CreationStartTests.thread
        try await expect(resolver.resolveAsync(Int.self), is: thread)
    }

    /// - Parameter isConverted: whether the call is in a function whose conversion promises to leave the actor, where Swift 6.3 stays.
    @Test(arguments: [false, true])
    func `a factory without an actor does not keep the actor of the caller busy`(_ isConverted: Bool) async {
        await #expect(processExitsWith: .success) { [isConverted] in
            let resolver = Resolver(), isFree = DispatchSemaphore(value: 0)
            let waitForActor = { @Sendable in isFree.wait(timeout: .now() + 20) }
            resolver.register { () async in waitForActor() }.scope(.cached)
            // The first call of a process takes another way, which leaves the actor.
            _ = resolver.optional(Leaf.self)
            let task = Task { @Vault in
                Task { @Vault in isFree.signal() }
                return isConverted ? try await call(loadOnActor, resolver) : try await loadOnActor(resolver)
            }
            let found = try await task.value
            expect(found, is: .success)
        }
    }

    @Test func `a creation does not start on the executor that its caller prefers`() async throws {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        let callers = Callers()
        resolver.register { () async in callers.areCurrent }.scope(.cached)
        let found = try await withTaskExecutorPreference(callers) {
            expect(callers.areCurrent)
            return try await resolver.resolveAsync(Bool.self)
        }
        expect(!found)
    }

    @Test func `the end of a scope cancels a creation before its first suspension`() async {
        await #expect(processExitsWith: .success) {
            let resolver = Resolver(), hasStarted = Gate(), hasEnded = Box(false), isCancelled = Box(false)
            resolver.register { () async -> Leaf in
                hasStarted.open()
                while !hasEnded.value {}
                isCancelled.set(Task.isCancelled)
                return Leaf()
            }.scoped(to: .request)
            let request = ScopeContext.shared.open(.request, id: "1")
            let ending = RunningThread {
                hasStarted.wait()
                request.end()
                hasEnded.set(true)
            }
            let error = await request.run { () async in await resolver.asyncFailure(Leaf.self) }
            ending.join()
            expect(error?.code, is: .scopeEnded)
            expect(isCancelled.value)
        }
    }

    @Test(.isDeepRecursion) func `a long chain of creations has enough stack`() async {
        await #expect(processExitsWith: .success) {
            let resolver = Resolver(), count = 5_000
            for index in 0..<count {
                resolver.register(Int.self, name: .init("\(index)")) { r async throws in
                    index + 1 == count ? 1 : 1 + (try await r.resolveAsync(Int.self, name: .init("\(index + 1)")))
                }.scope(.cached)
            }
            let found = try await resolver.resolveAsync(Int.self, name: "0")
            expect(found, is: count)
        }
    }

    @Test func `a creation in a task that a factory starts at once is no part of the factory's cycle`() async throws {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        resolver.register { Leaf() }
        resolver.register { r async throws in Holder(try r.tryResolve(Leaf.self)) }.scope(.cached)
        let found = Box<Task<Leaf, any Error>?>(nil)
        resolver.register { (r) -> OtherLeaf in
            let own: Leaf = r.resolve()
            found.set(Task.immediate { try await r.resolveAsync(Holder<Leaf>.self).part })
            return OtherLeaf(after: withExtendedLifetime(own) {})
        }
        resolver.register { r in (r.resolve(Leaf.self), r.resolve(OtherLeaf.self)) }
        let (own, _): (Leaf, OtherLeaf) = resolver.resolve()
        try await expect(found.value?.value !== own)
    }

    @Test func `a creation task has the priority of its first caller`() async throws {
        let resolver = Resolver()
        resolver.register { await yielding(Task.currentPriority.rawValue) }.scope(.container)
        // No code awaits the task before it has answered: waiting would escalate the priority.
        let answer = Box<UInt8?>(nil), hasAnswered = Gate()
        let task = Task.detached(priority: .background) {
            answer.set(try await resolver.resolveAsync(UInt8.self))
            hasAnswered.open()
        }
        try await hasAnswered.passUnlessCancelled()
        try await task.value
        expect(answer.value, is: TaskPriority.background.rawValue)
    }

    /// - Parameter isEscalated: whether the waiter's priority is raised while it waits.
    @Test(arguments: [false, true])
    func `a waiter with a higher priority escalates a running creation task`(_ isEscalated: Bool) async {
        await #expect(processExitsWith: .success) { [isEscalated] in
            guard #available(iOS 26, macOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
            let resolver = Resolver(), callers = Callers(), urgency = Box<TaskPriority?>(nil)
            let pause = Pause(), hasEnded = Gate()
            resolver.register {
                Leaf(after: urgency.set(await pause.suspending(Task.currentPriority)), hasEnded.open())
            }.scope(.container)
            let leader = callers.call(priority: .background) { try await resolver.resolveAsync(Leaf.self) }
            try await pause.hasBegun.passUnlessCancelled()
            let waiter = callers.call(priority: isEscalated ? .background : .high) {
                try await resolver.resolveAsync(Leaf.self)
            }
            await callers.untilAllWait()
            if isEscalated { waiter.escalatePriority(to: .high) }
            pause.mayEnd.open()
            // No code awaits a task before this, either.
            try await hasEnded.passUnlessCancelled()
            expect(urgency.value.map { $0 >= .high }, is: true)
            _ = (try await leader.value, try await waiter.value)
        }
    }
}

private func call<Result>(
    _ load: @concurrent @Sendable (Resolver) async throws -> Result, _ resolver: Resolver
) async throws -> Result { try await load(resolver) }

private nonisolated(nonsending) func loadOnActor(_ resolver: Resolver) async throws -> DispatchTimeoutResult {
    try await resolver.resolveAsync()
}
