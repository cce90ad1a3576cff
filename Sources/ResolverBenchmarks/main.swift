// Compares the container with the same work by hand.
//
//     RESOLVER_BENCHMARKS=1 swift run -c release ResolverBenchmarks [--check] [--quick] [--json FILE]
//
// --check fails if the median of three tries misses a limit. --quick makes one short pass without a verdict.

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

func fail(_ message: String, status: Int32) -> Never {
    _ = (message + "\n").withCString { write(STDERR_FILENO, $0, strlen($0)) }
    exit(status)
}

func save(_ text: String, to path: String) {
    guard let file = fopen(path, "w") else { fail("\(path) cannot be written.", status: 2) }
    let isWritten = fputs(text + "\n", file) >= 0
    guard fclose(file) == 0, isWritten else { fail("\(path) cannot be written.", status: 2) }
}

guard let options = Options(CommandLine.arguments.dropFirst()) else { fail(Options.usage, status: 2) }

var findings = Findings(
    [
        .hits(), .lifetimeHits(), .asyncHits(), .requests(), .making(), .threads(), .registering(), .scopeTrees(),
        .comparison(),
    ],
    options.quick ? .quick : .full, hasThresholds: !options.quick)
findings.attemptAll()
if options.check { while findings.attemptOpen() {} }
findings.measureHeap(part: options.quick ? 10 : 1)

print(findings.text)
if let path = options.jsonPath { save("\(findings.json)", to: path) }
if options.check, !findings.missed.isEmpty {
    fail("\nMissed: \(findings.missed.joined(separator: "; "))", status: 1)
}
