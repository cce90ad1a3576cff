import Foundation

/// One workload at one size in a process of its own. A crash is a result, and only the process's own heap is counted.
struct ChildProcess {
    let figures: [Figure]
    /// The reason why it ended early; nil if it did not.
    let failure: String?

    /// The argument that makes this program measure one workload itself.
    static let argument = "--measure"
    /// A process that hangs ends itself after this many seconds.
    static let deadline: UInt32 = 900

    private static func settings(_ workload: Workload) -> [String: String] {
        // The runtime would spend minutes on the backtrace of a stack overflow.
        let all = ["SWIFT_BACKTRACE": "enable=no"]
        // The thread caches of glibc count as memory in use, and differ from run to run. Without them an allocation takes
        // some nanoseconds longer.
        let ofThreads = ["GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"]
        return workload.isConcurrent ? all.merging(ofThreads) { $1 } : all
    }

    /// Starts this program for the workload and waits for it.
    init(_ workload: Workload, _ size: Int) {
        let process = Process(), output = Pipe()
        process.executableURL = URL(fileURLWithPath: Bundle.main.executablePath ?? CommandLine.arguments[0])
        process.arguments = [ChildProcess.argument, workload.name, "\(size)"]
        process.environment = ProcessInfo.processInfo.environment.merging(ChildProcess.settings(workload)) { $1 }
        // One pipe for both, so that neither can fill up while the other is read.
        process.standardOutput = output
        process.standardError = output
        do {
            try process.run()
        } catch {
            figures = []
            failure = "could not be started: \(error)"
            return
        }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let lines = text.split(separator: "\n")
        figures = lines.compactMap { Figure(line: $0) }
        let message = lines.first { Figure(line: $0) == nil }.map { ": " + $0.prefix(200) } ?? ""
        failure =
            switch (process.terminationReason, process.terminationStatus) {
            case (.exit, 0): nil
            case (.exit, let status): "ended with status \(status)\(message)"
            case (_, SIGALRM): "did not end within \(ChildProcess.deadline) seconds"
            case (_, let signal): "crashed by signal \(signal)\(message)"
            }
    }

    /// Takes the lower figures of two equal processes, because disturbances only add to figures. A failure of one is a
    /// failure of both.
    private init(_ first: ChildProcess, _ second: ChildProcess) {
        figures = first.figures.map { figure in
            let other = second.figures.first { $0.key == figure.key }
            return other.map { $0.each < figure.each ? $0 : figure } ?? figure
        }
        failure = first.failure ?? second.failure
    }

    func repeated(as other: ChildProcess) -> ChildProcess { ChildProcess(self, other) }

    /// Measures in the child process.
    static func measure(_ name: String, _ size: Int) -> Bool {
        guard let workload = Workload.all.first(where: { $0.name == name }), size > 0 else { return false }
        alarm(deadline)
        workload.measure(size)
        return true
    }
}
