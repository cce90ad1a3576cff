import BenchmarkSupport
import ConcurrencySupport
import Resolver

extension Workload {
    static let threads = Workload(
        "threads", "Threads that come, resolve and go", unit: "threads", upTo: 10_000, isConcurrent: true
    ) { recorder, size in
        let atOnce = 4
        let resolver = Resolver()
        resolver.register { Leaf() }
        resolver.register { Pair($0.resolve(), $0.resolve()) }.scope(.unique)
        resolver.register(name: "kept") { Leaf() }.scope(.cached)
        // The threads run in parallel, so the processor time of all counts.
        recorder.loop("thread", max(size / atOnce, 1) * atOnce, clock: processorTimeOfAllThreads) { rounds in
            for _ in 0..<rounds.count / atOnce {
                let threads = (0..<atOnce).map { _ in
                    RunningThread(stackSize: 512 << 10) {
                        _ = resolver.resolve(Pair.self)
                        _ = resolver.resolve(Leaf.self, name: "kept")
                        Resolver.withScope(.request, id: "one") { _ = resolver.optional(Pair.self, name: "missing") }
                    }
                }
                for thread in threads { thread.join() }
            }
        }
    }
}
