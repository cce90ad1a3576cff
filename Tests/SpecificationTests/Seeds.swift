import Foundation
import Testing

/// Runs a check for many seeds in its own process: the body of an exit test.
///
/// `RESOLVER_SEED` is the first seed, `RESOLVER_COUNT` the number of seeds. To repeat a failure, set its seed and a
/// count of one.
enum Seeds {
    /// What the process writes if it crashes: the running seed.
    nonisolated(unsafe) private static var lastWords: UnsafeMutablePointer<CChar>?

    /// Runs the seeds and ends the process.
    ///
    /// - Parameter body: returns the number of steps and the problem, if any.
    static func run(
        _ what: String, count: UInt64, _ body: @escaping @Sendable (UInt64) -> (Int, String?)
    ) async { await Threads.result { runAndExit(what, count: count, body) } }

    private static func runAndExit(
        _ what: String, count: UInt64, _ body: (UInt64) -> (Int, String?)
    ) {
        alarm(UInt32(number("RESOLVER_SECONDS") ?? 600))
        for signal in [SIGILL, SIGSEGV, SIGBUS, SIGTRAP, SIGABRT, SIGALRM] { Foundation.signal(signal, Seeds.die) }
        let first = number("RESOLVER_SEED") ?? 1, count = number("RESOLVER_COUNT") ?? count
        var steps = 0
        for seed in first..<first + count {
            free(lastWords)
            lastWords = strdup("died at seed \(seed)\n")
            let (taken, problem) = body(seed)
            steps += taken
            if let problem {
                say("\(what): \(problem)\n")
                exit(0)
            }
        }
        say("\(what): \(count) from seed \(first) on, \(steps) steps\n")
        exit(0)
    }

    /// Prints or records the output of the process. The testing library discards the output of a failing process, so
    /// the process always exits with success, and its last line shows the result.
    static func report(_ result: ExitTest.Result?) {
        guard let result else { return }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        if text.contains(" steps\n") { print(text, terminator: "") } else { Issue.record("\(text)") }
    }

    private static func number(_ variable: String) -> UInt64? {
        ProcessInfo.processInfo.environment[variable].flatMap { UInt64($0) }
    }

    private static func say(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }

    /// In a crashing process it makes system calls only.
    private static let die: @convention(c) (Int32) -> Void = { _ in
        if let text = Seeds.lastWords { write(2, text, strlen(text)) }
        _exit(0)
    }
}
