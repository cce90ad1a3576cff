import CResolverSupport
import Dispatch
import Testing

/// Whether code runs on an actor's executor. Systems before 2025 know only the executor of the running task.
@Suite struct ExecutorTests {
    private actor Plain { func isOn(_ other: any Actor) -> Bool { isTaskExecutor(of: other) } }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    private actor OnQueue {
        final class Queue: SerialExecutor {
            private let queue = DispatchQueue(label: "ExecutorTests")

            func enqueue(_ job: consuming ExecutorJob) {
                let job = UnownedJob(job)
                queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
            }
        }
        nonisolated let queue = Queue()
        nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

        func isOn(_ other: any Actor) -> Bool { isTaskExecutor(of: other) }
    }

    @Test func `code of an actor is on its executor and on no other`() async {
        let one = Plain(), other = Plain()
        await expect(one.isOn(one))
        await expect(!one.isOn(other))
        expect(!isTaskExecutor(of: one))
        await expect(!one.isOn(MainActor.shared))
        await expect(MainActor.run { isTaskExecutor(of: MainActor.shared) && !isTaskExecutor(of: one) })
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @Test func `code of an actor with a custom executor is on its executor`() async {
        let one = OnQueue(), other = OnQueue()
        await expect(one.isOn(one))
        await expect(!one.isOn(other))
    }

    @Test func `a thread outside tasks is on no executor`() {
        let actor = Plain()
        Threads.run(1) { _ in expect(!isTaskExecutor(of: actor)) }
    }
}

private func isTaskExecutor(of actor: any Actor) -> Bool {
    let words = unsafeBitCast(actor.unownedExecutor, to: (UnsafeRawPointer?, UnsafeRawPointer?).self)
    return resolver_is_task_executor(words.0)
}
