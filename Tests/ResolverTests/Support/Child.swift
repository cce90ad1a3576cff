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

extension ExitTest.Result? {
    /// What the process has written to standard error.
    var errorText: String { get throws { String(decoding: try #require(self).standardErrorContent, as: UTF8.self) } }
}
