import BenchmarkSupport

extension Finding {
    /// The number of tries for a workload that exceeds its growth: other processes may have disturbed it.
    private static let tries = 3

    /// Measures a workload at all its sizes.
    init(_ workload: Workload, part: Int, _ progress: inout Progress) {
        self.init(once: workload, part, &progress)
        for _ in 1..<Finding.tries where !exceeded.isEmpty && failures.isEmpty {
            progress.expect(results.count)
            let again = Finding(once: workload, part, &progress)
            self = Finding(
                workload: workload,
                results: zip(results, again.results).map { ($0.size, $0.process.repeated(as: $1.process)) },
                seconds: seconds + again.seconds)
        }
    }

    private init(once workload: Workload, _ part: Int, _ progress: inout Progress) {
        let start = now()
        let results = workload.sizes(part: part).map { size in
            progress.begin(workload, size)
            return (size: size, process: ChildProcess(workload, size))
        }
        self.init(workload: workload, results: results, seconds: (now() - start) / 1e9)
    }
}
