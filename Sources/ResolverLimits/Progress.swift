import BenchmarkSupport
import Foundation

/// Shows how far a run is: on a terminal always in the same line, elsewhere a line now and then.
struct Progress {
    private var total: Int
    private var done = 0
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private var shown = now()

    init(total: Int) {
        self.total = total
    }

    /// Some have to be done once more.
    mutating func expect(_ more: Int) { total += more }

    /// What comes next.
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
