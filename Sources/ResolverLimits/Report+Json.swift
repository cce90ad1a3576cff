import BenchmarkSupport

// The findings as JSON, for programs.

extension [Finding] {
    var json: Json {
        .object([
            ("seconds", .number(map(\.seconds).reduce(0, +))),
            ("workloads", .array(map(\.json))),
            ("exceeded", .array(flatMap(\.exceeded).map { .string($0) })),
        ])
    }
}

extension Finding {
    fileprivate var json: Json {
        .object([
            ("name", .string(workload.name)), ("title", .string(workload.title)), ("unit", .string(workload.unit)),
            ("sizes", .array(results.map { .integer($0.size) })), ("figures", .array(rows.map(\.json))),
            ("failures", .array(failures.map { .string($0) })),
        ])
    }
}

extension Finding.Row {
    fileprivate var json: Json {
        let measured: [(String, Json)] = [
            ("step", .string(step)),
            ("of", .string(series.quantity.rawValue)),
            (
                "points",
                .array(
                    series.points.map { point in
                        .object([
                            ("size", .integer(point.size)), ("units", .integer(point.figure.units)),
                            ("each", .number(point.figure.each)), ("total", .number(point.figure.total)),
                        ])
                    })
            ),
            ("shouldBe", .string(series.growth.rawValue)),
        ]
        let exponent = series.exponent.map { [("exponent", Json.number($0))] } ?? []
        let verdict: [(String, Json)] =
            series.growth == .unjudged ? [] : [("holds", .bool(series.holds)), ("isKnown", .bool(known != nil))]
        return .object(measured + exponent + verdict)
    }
}
