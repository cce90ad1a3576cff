import Resolver
import Testing

/// Synchronous calls during creation tasks, tasks that wait for a thread's creation, and priorities.
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
                expect(refusals.map(\.?.code), is: [.requiresAsync, .requiresAsync], "\(row)")
                expect(refusals.map(\.?.path.count), is: [1, 1], "\(row)")
                expect(subject.existing(), is: nil, "\(row)")
                subject.mayFinish.open()
                let instance = try await tasks[0].value
                try await expect(Threads.result { try subject.resolveSynchronously() } === instance, "\(row)")
                expect(subject.made.value, is: 1, "\(row)")
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
                try await expect(callers.call { await yielding("done") }.value, is: "done", "\(keeping)")
                tasks[0].cancel()
                await expect(tasks[0].result.error is CancellationError, "\(keeping)")
                pause.mayEnd.open()
                let leaf = await maker.value
                for task in tasks.dropFirst() { try await expect(task.value === leaf, "\(keeping)") }
                expect(made.value, is: 1, "\(keeping)")
            }
        }
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
            Child.require(urgency.value.map { $0 >= .high } == true, "\(String(describing: urgency.value))")
            _ = (try await leader.value, try await waiter.value)
        }
    }
}
