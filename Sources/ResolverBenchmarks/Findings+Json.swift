import BenchmarkSupport

// The findings as JSON, for programs.

extension Findings {
    var json: Json {
        .object([
            ("unit", .string("nanoseconds for each operation")),
            ("samples", .integer(effort.samples)),
            ("sampleMilliseconds", .number(effort.sampleTime / 1e6)),
            ("groups", .array(groups.map(\.json))),
            ("heap", .array(heap.map(\.json))),
        ])
    }
}

extension TrialGroup {
    fileprivate var json: Json {
        .object([("title", .string(title)), ("workloads", .array(trials.map(\.json)))])
    }
}

extension Trial {
    fileprivate var json: Json {
        let measured: [(String, Json)] = [
            ("name", .string(workload.subject.name)),
            ("byHandIs", .string(workload.byHand.name)),
            ("resolver", .number(subject)),
            ("byHand", .number(byHand)),
            ("compares", .string(workload.comparesThroughput ? "throughput" : "time")),
            ("ratio", .number(ratio)),
            ("ratioOfEachTry", .array(tries.map { .number($0.ratio) })),
        ]
        return .object(measured + targetMembers)
    }

    private var targetMembers: [(String, Json)] {
        guard let target = workload.target, let isMet else { return [] }
        let (bound, limit, stretch) = target.parts
        let stretchMember = stretch.map { [("stretch", Json.number($0))] } ?? []
        return [(bound == "at most" ? "atMost" : "atLeast", .number(limit))] + stretchMember + [("met", .bool(isMet))]
    }
}

extension HeapGrowth {
    fileprivate var json: Json {
        .object([
            ("name", .string(name)), ("bytesBefore", .integer(before)), ("bytesAfter", .integer(after)),
            ("atMost", .integer(HeapGrowth.limit)), ("met", .bool(isWithinLimit)),
        ])
    }
}
