import BenchmarkSupport

extension Workload.Side {
    /// Performs `body`, which has the loop inside, in a task of its own, while the thread that measures sleeps.
    ///
    /// A task that has been suspended may go on on another thread, so what counts is the processor time of all threads.
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
