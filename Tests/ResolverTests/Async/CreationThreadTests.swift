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

    /// All tasks share one thread, so one blocked task would block all.
    @Test func `tasks that wait for a thread's creation do not block their own thread and can be cancelled`() async {
        await #expect(processExitsWith: .success) {
            for keeping in KeepingScope.allCases {
                let resolver = Resolver(), callers = Callers(), made = Box(0), pause = Pause()
                resolver.register { pause.blocking(made.counting(Leaf())) }.scope(keeping.make())
                let maker = Task { await Threads.result { resolver.resolve(Leaf.self) } }
                try await pause.hasBegun.passUnlessCancelled()
                let tasks = callers.call(times: 8) { try await resolver.resolveAsync(Leaf.self) }
                await callers.untilAllWait()
                #expect(try await callers.call { await yielding("done") }.value == "done", "\(keeping)")
                tasks[0].cancel()
                #expect(await tasks[0].result.error is CancellationError, "\(keeping)")
                pause.mayEnd.open()
                let leaf = await maker.value
                for task in tasks.dropFirst() { #expect(try await task.value === leaf, "\(keeping)") }
                #expect(made.value == 1, "\(keeping)")
            }
        }
    }
}
