import BenchmarkSupport
import Foundation

// Measures how time and memory grow with the number of services, scopes, threads and calls.
//
//     .ci/limits [--check] [--quick] [--json] [WORKLOAD ...]
//
// Each workload is measured at four sizes, each twice the one before, in separate processes.

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
let findings = options.workloads.map { Finding($0, part: part, &progress) }
progress.end()

print(options.json ? "\(findings.json)" : findings.text)
let exceeded = findings.flatMap(\.exceeded)
if options.check, !exceeded.isEmpty {
    fail("\nExceeded:\n  " + exceeded.joined(separator: "\n  "), status: 1)
}
