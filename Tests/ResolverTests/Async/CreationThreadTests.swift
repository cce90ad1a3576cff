import Resolver
import Testing

/// Synchronous calls during creation tasks, and tasks that wait for a thread's creation.
@Suite struct CreationThreadTests {
    @Test func `a synchronous call is refused during a creation task and gets the instance afterwards`() async {
        await #expect(processExitsWith: .success) {
            try await CreationSubject.each { subject, row in
                subject.registerSlow()
                let tasks = try await subject.start(callers: 2)
                let refusals = [
                    await Threads.result { Result { try subject.resolveSynchronously() } },
                    Result { try subject.resolveSynchronously() },
                ].map(\.resolutionError)
                #expect(refusals.map(\.?.code) == [.requiresAsync, .requiresAsync], "\(row)")
                #expect(refusals.map(\.?.path.count) == [1, 1], "\(row)")
                #expect(subject.existing() == nil, "\(row)")
                subject.mayFinish.open()
                let instance = try await tasks[0].value
                #expect(try await Threads.result { try subject.resolveSynchronously() } === instance, "\(row)")
                #expect(subject.made.value == 1, "\(row)")
            }
        }
    }

    /// A resolver whose `Leaf` is created by a thread that pauses, and tasks on one thread that ask for it.
    private struct ThreadCreation {
        let resolver = Resolver(), callers = Callers(), made = Box(0), pause = Pause()

        /// Starts the thread's creation and `count` tasks that wait for it.
        func start(_ scope: ResolverScope, tasks count: Int) async throws -> (
            Task<Leaf, Never>, [Task<Leaf, any Error>]
        ) {
            resolver.register { [made, pause] in pause.blocking(made.counting(Leaf())) }.scope(scope)
            let maker = Task { [resolver] in await Threads.result { resolver.resolve(Leaf.self) } }
            try await pause.hasBegun.passUnlessCancelled()
            let tasks = callers.call(times: count) { [resolver] in try await resolver.resolveAsync(Leaf.self) }
            await callers.untilAllWait()
            return (maker, tasks)
        }
    }

    /// All tasks share one thread, so one blocked task would block all.
    @Test func `tasks that wait for a thread's creation do not block their own thread`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            for keeping in KeepingScope.allCases {
                let creation = ThreadCreation()
                let (maker, tasks) = try await creation.start(keeping.make(), tasks: 8)
                #expect(try await creation.callers.call { await yielding("done") }.value == "done", "\(keeping)")
                creation.pause.mayEnd.open()
                let leaf = await maker.value
                for task in tasks { #expect(try await task.value === leaf, "\(keeping)") }
                #expect(creation.made.value == 1, "\(keeping)")
            }
        }
    }

    @Test func `a task that waits for a thread's creation can be cancelled`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let creation = ThreadCreation()
            let (maker, tasks) = try await creation.start(.container, tasks: 2)
            tasks[0].cancel()
            #expect(await tasks[0].result.error is CancellationError)
            creation.pause.mayEnd.open()
            let leaf = await maker.value
            #expect(try await tasks[1].value === leaf)
        }
    }
}
