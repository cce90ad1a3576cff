import BenchmarkSupport

/// Something a container does, beside the same work without one.
struct Workload {
    /// One of the two things that are compared.
    struct Side {
        let name: String
        /// How many operations one round is.
        let operations: Int
        /// Performs so many rounds and answers how many nanoseconds they took.
        let run: (_ rounds: Int) -> Double

        /// `body` has the loop inside, so that a round costs no call.
        init(_ name: String, operations: Int = 1, _ body: @escaping (_ rounds: Int) -> Void) {
            self.init(name: name, operations: operations) { rounds in
                let start = processorTime()
                body(rounds)
                return processorTime() - start
            }
        }

        /// `run` takes the time itself.
        init(name: String, operations: Int, run: @escaping (_ rounds: Int) -> Double) {
            self.name = name
            self.operations = operations
            self.run = run
        }
    }

    /// The figure to reach.
    enum Target {
        /// The subject takes at most so many times as long as the work by hand.
        case atMost(Double, stretch: Double?)
        /// The subject gets at least so many times as much done.
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

    /// Compares the time that an operation takes.
    init(_ subject: Side, byHand: Side, atMost limit: Double? = nil, stretch: Double? = nil) {
        self.subject = subject
        self.byHand = byHand
        target = limit.map { .atMost($0, stretch: stretch) }
        comparesThroughput = false
    }

    /// Compares how many operations are done in a time.
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
