import BenchmarkSupport

extension Workload.Side {
    /// Performs `body`, which contains the loop, in its own task, while the measuring thread sleeps.
    ///
    /// A suspended task may resume on another thread, so the processor time of all threads counts.
    init(inTask name: String, _ body: @escaping @Sendable (_ rounds: Int) async throws -> Void) {
        self.init(name: name, operations: 1) { rounds in
            let time = Handover<Double>()
            Task.detached {
                let start = processorTimeOfAllThreads()
                do { try await body(rounds) } catch { fatalError("\(name): \(error)") }
                time.bring(processorTimeOfAllThreads() - start)
            }
            return time.take()
        }
    }
}
