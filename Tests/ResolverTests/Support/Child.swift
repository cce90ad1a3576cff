import CHeapProbe
import Foundation
import Testing

/// For the body of an exit test, which may hang: `CHeapProbe` gives its process a deadline.
enum Child {
    /// Ends the process with a failure and a reason if `condition` is false.
    static func require(_ condition: Bool, _ claim: @autoclosure () -> String, line: UInt = #line) {
        guard !condition else { return }
        FileHandle.standardError.write(Data("line \(line): not so: \(claim())\n".utf8))
        exit(1)
    }
}

extension Child {
    /// Ends the process with a failure if each of four rounds of work grows the heap. Tasks of the last creations may still
    /// exist, so the measurement has some slack, and a busy machine gets more rounds.
    static func requireFlatHeap(
        _ work: String, allowing slack: Int = 64 << 10, line: UInt = #line, _ round: () async -> Void
    ) async {
        // A call that has to wait throws internally first.
        heap_forget_thrown_errors()
        await round()
        await round()
        var grown: [Int] = []
        repeat {
            let before = Int(heap_bytes_in_use())
            require(before > 1000, "\(before) bytes in use: the probe does not work", line: line)
            await round()
            grown.append(Int(heap_bytes_in_use()) - before)
            require(grown.count < 4 || grown[3] <= slack, "\(work) leaves \(grown) bytes", line: line)
        } while grown.last! > slack
    }
}

extension ExitTest.Result? {
    /// What the process has written to standard error.
    var errorText: String { get throws { String(decoding: try #require(self).standardErrorContent, as: UTF8.self) } }
}
