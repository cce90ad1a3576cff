import BenchmarkSupport

// The findings as text, for human readers.

extension Findings {
    var text: String {
        let tables = groups.map { "\($0.title), nanoseconds for each operation\n\n" + table(of: $0.trials) }
        return (tables + [targets, heapTable].compactMap(\.self)).joined(separator: "\n\n")
    }

    private func table(of trials: [Trial]) -> String {
        aligned(
            [["workload", "Resolver", "by hand", "ratio", "by hand is"]]
                + trials.map { trial in
                    [
                        trial.workload.subject.name, decimal(trial.subject, 1), decimal(trial.byHand, 1),
                        decimal(trial.ratio, 2), trial.workload.byHand.name,
                    ]
                })
    }

    private var targets: String? {
        guard hasThresholds else { return nil }
        let rows = groups.flatMap(\.trials).compactMap(targetRow)
        return "To reach, as a ratio to the work by hand\n\n"
            + aligned([["workload", "compared with", "ratio", "limit", "stretch", ""]] + rows)
    }

    private func targetRow(_ trial: Trial) -> [String]? {
        guard let target = trial.workload.target, let isMet = trial.isMet else { return nil }
        let (bound, limit, stretch) = target.parts
        return [
            trial.workload.subject.name, trial.workload.byHand.name, decimal(trial.ratio, 2),
            "\(bound) \(decimal(limit, 2))", stretch.map { decimal($0, 2) } ?? "", isMet ? "" : "MISSED",
        ]
    }

    private var heapTable: String? {
        guard !heap.isEmpty else { return nil }
        let rows = heap.map { growth in
            [
                growth.name, "\(growth.before)", "\(growth.after)", "\(growth.after - growth.before)",
                growth.isWithinLimit || !hasThresholds ? "" : "MISSED",
            ]
        }
        return "Bytes of the heap in use\n\n" + aligned([["after", "before", "after", "growth", ""]] + rows)
    }
}

extension Workload.Target {
    var parts: (bound: String, limit: Double, stretch: Double?) {
        switch self {
        case .atMost(let limit, let stretch): ("at most", limit, stretch)
        case .atLeast(let limit, let stretch): ("at least", limit, stretch)
        }
    }
}
