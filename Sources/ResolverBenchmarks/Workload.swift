import BenchmarkSupport

/// An operation of a container, and the same work without one.
struct Workload {
    /// One of the two sides of a comparison.
    struct Side {
        let name: String
        /// The number of operations in one round.
        let operations: Int
        /// Performs `rounds` rounds and returns the time in nanoseconds.
        let run: (_ rounds: Int) -> Double

        /// Makes a side whose `body` contains the loop, so that a round costs no call.
        init(_ name: String, operations: Int = 1, _ body: @escaping (_ rounds: Int) -> Void) {
            self.init(name: name, operations: operations) { rounds in
                let start = processorTime()
                body(rounds)
                return processorTime() - start
            }
        }

        /// Makes a side whose `run` measures the time itself.
        init(name: String, operations: Int, run: @escaping (_ rounds: Int) -> Double) {
            self.name = name
            self.operations = operations
            self.run = run
        }
    }

    /// The figure to reach.
    enum Target {
        /// The subject takes at most this many times as long as the work by hand.
        case atMost(Double, stretch: Double?)
        /// The subject achieves at least this many times the throughput.
        case atLeast(Double, stretch: Double?)

        func isMet(by ratio: Double) -> Bool {
            switch self {
            case .atMost(let limit, _): ratio <= limit
            case .atLeast(let limit, _): ratio >= limit
            }
        }
    }

    let subject: Side
    let byHand: Side
    let target: Target?
    let comparesThroughput: Bool

    /// Compares the times of an operation.
    init(_ subject: Side, byHand: Side, atMost limit: Double? = nil, stretch: Double? = nil) {
        self.subject = subject
        self.byHand = byHand
        target = limit.map { .atMost($0, stretch: stretch) }
        comparesThroughput = false
    }

    /// Compares the throughputs.
    init(throughputOf subject: Side, byHand: Side, atLeast limit: Double? = nil, stretch: Double? = nil) {
        self.subject = subject
        self.byHand = byHand
        target = limit.map { .atLeast($0, stretch: stretch) }
        comparesThroughput = true
    }
}

/// Workloads that are printed as one table.
struct WorkloadGroup {
    let title: String
    let workloads: [Workload]
}
