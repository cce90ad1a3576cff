import BenchmarkSupport
import Foundation

// Measures how time and memory grow with the number of services, scopes, threads and calls.
//
//     .ci/limits [--check] [--quick] [--json] [WORKLOAD ...]
//
// Each workload is measured at four sizes, each twice the one before, and each size in a process of its own.

func fail(_ message: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(status)
}

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.count == 3, arguments[0] == ChildProcess.argument {
    exit(ChildProcess.measure(arguments[1], Int(arguments[2]) ?? 0) ? 0 : 2)
}
guard let options = Options(arguments) else { fail(Options.usage, status: 2) }

let part = options.quick ? 10 : 1
var progress = Progress(total: options.workloads.map { $0.sizes(part: part).count }.reduce(0, +))
let findings = options.workloads.map { workload in
    let start = now()
    let results = workload.sizes(part: part).map { size in
        progress.begin(workload, size)
        return (size: size, process: ChildProcess(workload, size))
    }
    return Finding(workload: workload, results: results, seconds: (now() - start) / 1e9)
}
progress.end()

print(options.json ? "\(findings.json)" : findings.text)
if options.check, !findings.exceeded.isEmpty {
    fail("\nExceeded:\n  " + findings.exceeded.joined(separator: "\n  "), status: 1)
}
