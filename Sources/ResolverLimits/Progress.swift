import BenchmarkSupport
import Foundation

/// The progress of a run: on a terminal always in one line, elsewhere a line now and then.
struct Progress {
    private var total: Int
    private var done = 0
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private var shown = now()

    init(total: Int) {
        self.total = total
    }

    /// Adds repetitions to the total.
    mutating func expect(_ more: Int) { total += more }

    /// Shows the next measurement.
    mutating func begin(_ workload: Workload, _ size: Int) {
        let text = "[\(done)/\(total)] \(workload.title): \(grouped(size)) \(workload.unit)"
        done += 1
        if isTerminal {
            write("\r\u{1B}[K\(text)")
        } else if now() - shown > 10e9 {
            shown = now()
            write(text + "\n")
        }
    }

    /// Clears the line.
    func end() {
        if isTerminal { write("\r\u{1B}[K") }
    }

    private func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
