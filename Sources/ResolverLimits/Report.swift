import BenchmarkSupport

// The findings as text: a table for each workload.

extension Growth {
    var text: String {
        switch self {
        case .nothing: "nothing kept"
        case .unjudged: ""
        default: rawValue
        }
    }
}

extension Finding {
    /// The figures are costs of one unit at each size.
    var text: String {
        let sizes = results.map(\.size)
        let table = aligned(
            [["step", "of each"] + sizes.map { grouped($0) } + ["growth", "should be", ""]]
                + rows.map { $0.cells(sizes) })
        let failures = failures.map { "\n  FAILED \($0)" }.joined()
        return
            "\(workload.title) (\(workload.name); \(workload.unit); \(decimal(seconds, 1)) seconds)\n\n\(table)\(failures)"
    }
}

extension Finding.Row {
    fileprivate func cells(_ sizes: [Int]) -> [String] {
        let values = sizes.map { size in
            series.points.first { $0.size == size }.map { rounded($0.figure.each) } ?? "-"
        }
        return [step, series.quantity.rawValue] + values + [growthText, series.growth.text, verdict.rawValue]
    }

    private var growthText: String {
        if series.growth == .nothing { return "" }
        return series.exponent.map { "n^\(decimal($0, 2))" } ?? ""
    }
}

extension [Finding] {
    var text: String {
        (map(\.text) + [knownText, summary].compactMap(\.self)).joined(separator: "\n\n")
    }

    private var knownText: String? {
        let lines = KnownGrowth.all.compactMap { known -> String? in
            let verdicts = flatMap { finding in
                finding.rows.filter { $0.known == known }.map(\.verdict)
            }
            if verdicts.isEmpty { return nil }
            let note = verdicts.contains(.known) ? "" : " (holds here)"
            let steps = known.step.isEmpty ? "" : ", \(known.step)"
            return "  \(known.workloads.joined(separator: ", "))\(steps), \(known.quantity.rawValue)\(note): "
                + known.reason
        }
        return lines.isEmpty ? nil : "Known: not flat\n\n" + lines.joined(separator: "\n")
    }

    private var summary: String {
        let seconds = map(\.seconds).reduce(0, +)
        let verdicts = flatMap(\.rows).map(\.verdict)
        return "\(verdicts.count { $0 == .holds }) figures hold, \(verdicts.count { $0 == .known }) are known not to, "
            + "\(verdicts.count { $0 == .exceeded }) exceed their growth; \(flatMap(\.failures).count) processes failed. "
            + "\(decimal(seconds, 0)) seconds."
    }
}

/// Returns the value with one decimal below 10, and without decimals from 10 on.
private func rounded(_ value: Double) -> String {
    abs(value) < 10 ? decimal(value, 1) : decimal(value, 0)
}

/// Returns 100 000 for 100000.
func grouped(_ number: Int) -> String {
    var digits = String(number), groups: [String] = []
    while digits.count > 3 {
        groups.insert(String(digits.suffix(3)), at: 0)
        digits.removeLast(3)
    }
    return ([digits] + groups).joined(separator: " ")
}
