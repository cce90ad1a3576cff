import Resolver
import Testing

/// The priority of a creation task.
@Suite struct CreationThreadTests {
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
