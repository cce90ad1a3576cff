import Testing

/// Failures, and where each kind of them occurred.
final class Failures: Sendable {
    private static let mostKinds = 40, mostPlaces = 10

    private let places = Box<[String: [String]]>([:])

    /// - Parameter place: where the failure occurred. The first places are listed.
    func add(_ failure: String, at place: String = "") { places.update { $0[failure, default: []].append(place) } }

    func expect(_ condition: Bool, _ failure: @autoclosure () -> String) { if !condition { add(failure()) } }

    /// Records an issue with the most frequent failures, if there are any.
    func report(sourceLocation: Testing.SourceLocation = #_sourceLocation) {
        let kinds = places.value.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
        guard !kinds.isEmpty else { return }
        let total = kinds.reduce(0) { $0 + $1.value.count }
        let lines = kinds.prefix(Failures.mostKinds).map { failure, places in
            let first = places.filter { !$0.isEmpty }.prefix(Failures.mostPlaces).joined(separator: ", ")
            return "\(places.count) times \(failure)" + (first.isEmpty ? "" : "\n    for \(first)")
        }
        let text = (["\(total) failures of \(kinds.count) kinds"] + lines).joined(separator: "\n  ")
        Issue.record("\(text)", sourceLocation: sourceLocation)
    }
}
