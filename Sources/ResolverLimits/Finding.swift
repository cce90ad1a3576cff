/// What a workload gave at all its sizes.
struct Finding {
    let workload: Workload
    let results: [(size: Int, process: ChildProcess)]
    /// How many seconds the measuring took.
    let seconds: Double

    /// Figures of the same step and quantity, in the order in which they were taken.
    var rows: [Row] {
        var rows: [Row] = []
        for figure in results.flatMap(\.process.figures) {
            if rows.contains(where: { $0.step == figure.step && $0.series.quantity == figure.quantity }) { continue }
            let points = results.compactMap { result in
                result.process.figures.first { $0.step == figure.step && $0.quantity == figure.quantity }
                    .map { (size: result.size, figure: $0) }
            }
            rows.append(
                Row(
                    step: figure.step,
                    series: Series(quantity: figure.quantity, growth: figure.growth, points: points),
                    known: KnownGrowth.of(workload.name, figure.step, figure.quantity)))
        }
        return rows
    }

    /// What crashed, hung or was wrong.
    var failures: [String] {
        results.compactMap { result in
            result.process.failure.map { "\(workload.name), \(result.size) \(workload.unit): \($0)" }
        }
    }

    /// One line of the table.
    struct Row {
        let step: String
        let series: Series
        let known: KnownGrowth?

        var verdict: Verdict {
            if series.growth == .unjudged { return .unjudged }
            return series.holds ? .holds : known == nil ? .exceeded : .known
        }
    }

    enum Verdict: String {
        case holds
        case known = "known: not flat"
        case exceeded = "EXCEEDED"
        case unjudged = ""
    }
}

/// What is not as it should be, a line for each.
extension [Finding] {
    var exceeded: [String] {
        flatMap { finding in
            finding.rows.filter { $0.verdict == .exceeded }.map {
                "\(finding.workload.name), \($0.step), \($0.series.quantity.rawValue): should be \($0.series.growth.text)"
            } + finding.failures
        }
    }
}
