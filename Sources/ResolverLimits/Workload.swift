import BenchmarkSupport

/// A use of the library, in several sizes.
struct Workload: Sendable {
    /// The name on the command line.
    let name: String
    let title: String
    /// The unit of the sizes.
    let unit: String
    let largest: Int
    /// Whether the threads that do the work come and go, or belong to the system.
    let isConcurrent: Bool
    /// Performs the work once. All of its objects are released when it returns.
    let perform: @Sendable (_ recorder: Recorder, _ size: Int) -> Void

    init(
        _ name: String, _ title: String, unit: String, upTo largest: Int, isConcurrent: Bool = false,
        perform: @escaping @Sendable (_ recorder: Recorder, _ size: Int) -> Void
    ) {
        self.name = name
        self.title = title
        self.unit = unit
        self.largest = largest
        self.isConcurrent = isConcurrent
        self.perform = perform
    }

    /// Returns the sizes, each twice the one before.
    ///
    /// `part` divides them, as long as one-time costs remain small.
    func sizes(part: Int) -> [Int] {
        let last = max(largest / part, min(largest, 400))
        return [8, 4, 2, 1].map { last / $0 }
    }

    /// Performs the work twice and records the second time.
    ///
    /// The first time makes what is made once in a process, and reserves the greatest capacity: metadata of the runtime,
    /// tables, and a thread's frames.
    func measure(_ size: Int) {
        let recorder = Recorder(isSilent: false)
        // An empty line makes the buffer of the standard output.
        print()
        let atFirst = Heap.bytesInUse(), peakAtFirst = Peak.residentBytes
        perform(Recorder(isSilent: true), size)
        let before = Heap.bytesInUse()
        perform(recorder, size)
        let after = Heap.bytesInUse()
        if let peakAtFirst, let peak = Peak.residentBytes {
            recorder.note("resident at most", .bytes, .unjudged, units: size, total: Double(peak - peakAtFirst))
        }
        guard let atFirst, let before, let after else { return }
        recorder.note("kept after the first time", .bytes, .unjudged, units: size, total: Double(before - atFirst))
        recorder.note("kept after the second time", .bytes, .nothing, units: size, total: Double(after - before))
    }
}

extension Workload {
    /// All workloads, in the order of the report.
    static let all: [Workload] =
        [
            services, serviceTypes, openScopes, nestedScopes, threads, longNames, longSuggestions,
            chain("unique", .unique), chain("graph", .graph), chain("cached", .cached), asyncChain, brokenChain, ring,
            missingAmongNames, missingAmongTypes, missingAmongResolvers,
        ] + scopesAmongOthers + loops + moreLoops + many + waiting + releases + modifiers + [
            resolverChain, askedResolverChain, oneObject, aliases, singletons,
        ]
}
