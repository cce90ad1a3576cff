import Foundation
import Testing

/// Runs a check for many seeds in its own process: the body of an exit test.
///
/// `RESOLVER_SEED` is the first seed, `RESOLVER_COUNT` the number of seeds. To repeat a failure, set its seed and a
/// count of one.
enum Seeds {
    /// The running seed, reported if the process crashes.
    nonisolated(unsafe) private static var running: UInt64 = 0

    /// Runs the seeds and ends the process.
    ///
    /// - Parameter body: returns the number of steps and the problem, if any.
    static func run(
        _ what: String, count: UInt64, _ body: @escaping @Sendable (UInt64) -> (steps: Int, problem: String?)
    ) async { await Threads.result { runAndExit(what, count: count, body) } }

    private static func runAndExit(
        _ what: String, count: UInt64, _ body: (UInt64) -> (steps: Int, problem: String?)
    ) {
        alarm(UInt32(number("RESOLVER_SECONDS") ?? 600))
        for signal in [SIGILL, SIGSEGV, SIGBUS, SIGTRAP, SIGABRT, SIGALRM] { Foundation.signal(signal, Seeds.die) }
        let first = number("RESOLVER_SEED") ?? 1, count = number("RESOLVER_COUNT") ?? count
        var steps = 0
        for seed in first..<first + count {
            running = seed
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

    /// Writes the seed in a crashing process, with system calls only.
    private static let die: @convention(c) (Int32) -> Void = { signal in
        // Space for twenty digits and a newline.
        var digits: (UInt64, UInt64, UInt64) = (0, 0, 0)
        var rest = Seeds.running
        withUnsafeMutableBytes(of: &digits) { digits in
            for index in (0..<20).reversed() {
                digits[index] = 48 + UInt8(rest % 10)
                rest /= 10
            }
            digits[20] = 10
            let text: StaticString = "died at seed "
            write(2, text.utf8Start, text.utf8CodeUnitCount)
            write(2, digits.baseAddress, 21)
        }
        _exit(0)
    }
}
