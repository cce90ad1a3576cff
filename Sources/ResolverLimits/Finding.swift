/// The results of a workload at all its sizes.
struct Finding {
    let workload: Workload
    let results: [(size: Int, process: ChildProcess)]
    /// The duration of the measurement in seconds.
    let seconds: Double

    /// The figures of each step and quantity, in the order of their measurement.
    var rows: [Row] {
        keys.map { key in
            let points = results.compactMap { result in
                result.process.figures.first { $0.key == key }.map { (size: result.size, figure: $0) }
            }
            let growth = points.first?.figure.growth ?? .unjudged
            let series = Series(
                quantity: key.quantity, growth: growth, points: points, isConcurrent: workload.isConcurrent)
            return Row(
                step: key.step, series: series, known: KnownGrowth.of(workload.name, key.step, key.quantity))
        }
    }

    /// The keys of all sizes. A key that only some sizes have comes after its predecessor there.
    private var keys: [Figure.Key] {
        var keys: [Figure.Key] = []
        for result in results {
            var next = 0
            for figure in result.process.figures {
                if let index = keys.firstIndex(of: figure.key) {
                    next = index + 1
                } else {
                    keys.insert(figure.key, at: next)
                    next += 1
                }
            }
        }
        return keys
    }

    /// Crashes, hangs and wrong results.
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

extension Finding {
    /// The figures that exceed their growth, a line for each.
    var exceeded: [String] {
        let lines = rows.filter { $0.verdict == .exceeded }.map { row in
            "\(workload.name), \(row.step), \(row.series.quantity.rawValue): should be \(row.series.growth.text)"
        }
        return lines + failures
    }
}
