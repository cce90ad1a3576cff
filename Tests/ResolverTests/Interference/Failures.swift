import Testing

/// Failures and their counts.
final class Failures: Sendable {
    private struct Kind {
        var count = 0
        var places: [String] = []
    }

    private static let mostKinds = 40, mostPlaces = 10

    private let kinds = Box<[String: Kind]>([:])

    /// - Parameter place: where the failure occurred. The first places are listed.
    func add(_ failure: String, at place: String? = nil) {
        kinds.update { kinds in
            var kind = kinds[failure] ?? Kind()
            kind.count += 1
            if let place, kind.places.count < Failures.mostPlaces { kind.places.append(place) }
            kinds[failure] = kind
        }
    }

    func expect(_ condition: Bool, _ failure: @autoclosure () -> String) { if !condition { add(failure()) } }

    /// Records an issue with the most frequent failures, if there are any.
    func report(sourceLocation: Testing.SourceLocation = #_sourceLocation) {
        let kinds = kinds.value
        guard !kinds.isEmpty else { return }
        let total = kinds.values.reduce(0) { $0 + $1.count }
        let lines = kinds.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.prefix(Failures.mostKinds)
            .map { failure, kind in
                let places = kind.places.joined(separator: ", ")
                let rest = kind.count > kind.places.count ? ", …" : ""
                return "\(kind.count) times \(failure)" + (places.isEmpty ? "" : "\n    for \(places)\(rest)")
            }
        let text = (["\(total) failures of \(kinds.count) kinds"] + lines).joined(separator: "\n  ")
        Issue.record("\(text)", sourceLocation: sourceLocation)
    }
}
