import Foundation
import Testing

/// For the body of an exit test: what may hang runs in a process of its own, and the kernel kills that process, however
/// many of its threads are stuck.
enum Child {
    /// A deadline for what hangs, and not for what is slow: minutes, for the slowest machine under the slowest sanitizer.
    private static let seconds: UInt32 = 600

    static func mustEnd() { alarm(seconds) }

    /// Ends the process with a failure and a reason if `condition` is false.
    static func require(_ condition: Bool, _ claim: @autoclosure () -> String, line: UInt = #line) {
        guard !condition else { return }
        FileHandle.standardError.write(Data("line \(line): not so: \(claim())\n".utf8))
        exit(1)
    }
}

extension ExitTest.Result? {
    /// What the process has written to standard error.
    var errorText: String {
        get throws { String(decoding: try #require(self).standardErrorContent, as: UTF8.self) }
    }
}
