import Resolver
import Testing

/// Synchronous calls during creation tasks, and tasks that wait for a thread's creation.
@Suite struct CreationThreadTests {
    @Test func `a synchronous call is refused during a creation task and gets the instance afterwards`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            for row in CreationRow.allCases {
                let subject = CreationSubject(row)
                subject.registerSlow()
                let tasks = try await subject.takeOff(callers: 2)
                let ask: @Sendable () -> Result<Counted, any Error> = {
                    Result { try subject.resolveSynchronously() }
                }
                let refusal = await Threads.result(ask)
                Child.require(refusal.resolutionError?.code == .requiresAsync, "\(row): \(refusal)")
                subject.mayFinish.open()
                let instance = try await tasks[0].value
                let kept = try await Threads.result(ask).get()
                Child.require(kept === instance, "\(row): the instance")
                Child.require(subject.made.value == 1, "\(row): one run of \(subject.made.value)")
            }
        }
    }

    /// All tasks share one thread, so one blocked task would block all.
    @Test func `tasks that wait for a thread's creation do not block their own thread`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            for keeping in KeepingScope.allCases {
                let resolver = Resolver(), callers = Callers()
                let made = Box(0), hasStarted = Gate(), mayFinish = Gate()
                resolver.register { () -> Leaf in
                    made.increment()
                    hasStarted.open()
                    mayFinish.wait()
                    return Leaf()
                }.scope(keeping.make())
                async let maker = Threads.result { resolver.resolve(Leaf.self) }
                try await hasStarted.passUnlessCancelled()
                let tasks = callers.call(times: 8) { try await resolver.resolveAsync(Leaf.self) }
                await callers.untilAllWait()
                let unrelated = callers.call {
                    await Task.yield()
                    return "at the end"
                }
                let word = try await unrelated.value
                Child.require(word == "at the end", "\(keeping): it went on")
                mayFinish.open()
                let leaf = await maker
                for task in tasks {
                    let got = try await task.value
                    Child.require(got === leaf, "\(keeping): the same instance")
                }
                Child.require(made.value == 1, "\(keeping): one run of \(made.value)")
            }
        }
    }

    @Test func `a task that waits for a thread's creation can be cancelled`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let resolver = Resolver(), callers = Callers()
            let hasStarted = Gate(), mayFinish = Gate()
            resolver.register { () -> Leaf in
                hasStarted.open()
                mayFinish.wait()
                return Leaf()
            }.scope(.container)
            async let maker = Threads.result { resolver.resolve(Leaf.self) }
            try await hasStarted.passUnlessCancelled()
            let (task, other) = (
                callers.call { try await resolver.resolveAsync(Leaf.self) },
                callers.call { try await resolver.resolveAsync(Leaf.self) }
            )
            await callers.untilAllWait()
            task.cancel()
            let error = await task.result.error
            Child.require(error is CancellationError, "leaves: \(String(describing: error))")
            mayFinish.open()
            let (leaf, got) = (await maker, try await other.value)
            Child.require(leaf === got, "the other one gets the instance")
        }
    }
}
