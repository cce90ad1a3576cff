import Foundation
import Testing

/// Runs what a seed stands for, many times, in a process of its own: the body of an exit test.
///
/// `RESOLVER_SEED` is the first seed, `RESOLVER_COUNT` how many there are: one and one repeat what has failed.
enum Seeds {
    /// The seed that runs, for a process that dies.
    nonisolated(unsafe) private static var running: UInt64 = 0

    /// Ends the process.
    ///
    /// - Parameter body: gives how many steps it took, and what is wrong.
    static func run(
        _ what: String, count: UInt64, _ body: @escaping @Sendable (UInt64) -> (steps: Int, problem: String?)
    ) async {
        await onThread { runAndExit(what, count: count, body) }
    }

    /// Not on a thread of the cooperative pool, which what blocks would take away from tasks.
    static func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: body()) }
        }
    }

    private static func runAndExit(
        _ what: String, count: UInt64, _ body: (UInt64) -> (steps: Int, problem: String?)
    ) {
        alarm(UInt32(number("RESOLVER_SECONDS") ?? 600))
        for signal in [SIGILL, SIGSEGV, SIGBUS, SIGTRAP, SIGABRT, SIGALRM] { Foundation.signal(signal, Seeds.die) }
        let first = number("RESOLVER_SEED") ?? 1
        let count = number("RESOLVER_COUNT") ?? count
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

    /// Tells what the process has said. Of one that fails the testing library gives nothing, so it ends as if all were well,
    /// and its last line says whether that is so.
    static func report(_ result: ExitTest.Result?) {
        guard let result else { return }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        if text.contains(" steps\n") { print(text, terminator: "") } else { Issue.record("\(text)") }
    }

    private static func number(_ variable: String) -> UInt64? {
        ProcessInfo.processInfo.environment[variable].flatMap { UInt64($0) }
    }

    private static func say(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }

    /// Says the seed in a process that has nothing left but system calls.
    private static let die: @convention(c) (Int32) -> Void = { signal in
        // Room for twenty digits and the end of the line.
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
