import BenchmarkSupport
import ConcurrencySupport
import Foundation
import Resolver

// Very many threads and tasks that wait for one instance.

extension Workload {
    static let waiting = [waitingTasks, cancelledTasks, waitingThreads]

    /// The factory ends when the last task is about to wait.
    private static let waitingTasks = Workload(
        "waiting-tasks", "Tasks that wait for one instance", unit: "tasks", upTo: 20_000, isConcurrent: true
    ) { recorder, size in
        let (coming, comes) = AsyncStream.makeStream(of: Void.self)
        let resolver = Resolver()
        resolver.register { () async -> Leaf in
            await coming.first(size)
            return Leaf()
        }.scope(.cached)
        recorder.measure("wait", units: size, clock: processorTimeOfAllThreads) {
            waitForTask {
                let tasks = resolver.startWaiters(size, comes)
                for task in tasks { recorder.require(await task.value, "not made") }
            }
        }
    }

    /// The factory ends when all tasks have been cancelled.
    private static let cancelledTasks = Workload(
        "cancelled-tasks", "Tasks that wait for one instance and are cancelled", unit: "tasks", upTo: 8000,
        isConcurrent: true
    ) { recorder, size in
        let (coming, comes) = AsyncStream.makeStream(of: Void.self)
        let (ending, end) = AsyncStream.makeStream(of: Void.self)
        let resolver = Resolver()
        resolver.register { () async -> Leaf in
            await ending.first(1)
            return Leaf()
        }.scope(.cached)
        recorder.measure("wait and cancel", units: size, clock: processorTimeOfAllThreads) {
            waitForTask {
                let tasks = resolver.startWaiters(size, comes)
                await coming.first(size)
                for task in tasks { task.cancel() }
                for task in tasks { _ = await task.value }
                end.yield()
                recorder.require((try? await resolver.resolveAsync(Leaf.self)) != nil, "not made")
            }
        }
    }

    /// The factory ends when the last thread is about to wait.
    private static let waitingThreads = Workload(
        "waiting-threads", "Threads that wait for one instance", unit: "threads", upTo: 2000, isConcurrent: true
    ) { recorder, size in
        let comes = DispatchSemaphore(value: 0)
        let resolver = Resolver()
        resolver.register { () -> Leaf in
            for _ in 0..<size { comes.wait() }
            return Leaf()
        }.scope(.cached)
        recorder.measure("wait", units: size, clock: processorTimeOfAllThreads) {
            let threads = (0..<size).map { _ in
                RunningThread(stackSize: 256 << 10) {
                    comes.signal()
                    _ = resolver.resolve(Leaf.self)
                }
            }
            for thread in threads { thread.join() }
        }
    }
}

extension Resolver {
    /// Starts tasks that wait for an instance, each of which yields to `comes` first. (A task group would search all children
    /// for each one that ends.)
    fileprivate func startWaiters(_ count: Int, _ comes: AsyncStream<Void>.Continuation) -> [Task<Bool, Never>] {
        (0..<count).map { _ in
            Task.detached {
                comes.yield()
                return (try? await self.resolveAsync(Leaf.self)) != nil
            }
        }
    }
}

extension AsyncStream where Element == Void {
    /// Returns when `count` elements have arrived.
    fileprivate func first(_ count: Int) async {
        var missing = count
        for await _ in self {
            missing -= 1
            if missing == 0 { return }
        }
    }
}
