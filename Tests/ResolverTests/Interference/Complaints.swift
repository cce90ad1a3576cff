import Foundation
import Testing

/// Failures and their counts.
final class Complaints: Sendable {
    private struct Kind {
        var count = 0
        var places: [String] = []
    }

    private static let mostKinds = 40, mostPlaces = 10

    private let kinds = Box<[String: Kind]>([:])

    /// - Parameter place: where the failure occurred. The first places are listed.
    func add(_ complaint: String, at place: String? = nil) {
        kinds.update { kinds in
            var kind = kinds[complaint] ?? Kind()
            kind.count += 1
            if let place, kind.places.count < Complaints.mostPlaces { kind.places.append(place) }
            kinds[complaint] = kind
        }
    }

    func unless(_ condition: Bool, _ complaint: @autoclosure () -> String) {
        if !condition { add(complaint()) }
    }

    var isEmpty: Bool { kinds.value.isEmpty }

    /// The most frequent failures.
    var text: String {
        let kinds = kinds.value
        let total = kinds.values.reduce(0) { $0 + $1.count }
        let lines = kinds.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.prefix(Complaints.mostKinds)
            .map { complaint, kind in
                let places = kind.places.joined(separator: ", ")
                let rest = kind.count > kind.places.count ? ", …" : ""
                return "\(kind.count) times \(complaint)" + (places.isEmpty ? "" : "\n    for \(places)\(rest)")
            }
        return (["\(total) complaints of \(kinds.count) kinds"] + lines).joined(separator: "\n  ")
    }

    /// Writes the failures to standard error, in the body of an exit test. The output of a failing process is
    /// discarded.
    func tell() {
        if !isEmpty { FileHandle.standardError.write(Data(text.utf8)) }
    }

    /// Records an issue with the output of the process, in the test.
    static func expectNone(in result: ExitTest.Result?, sourceLocation: Testing.SourceLocation = #_sourceLocation) {
        guard let result, !result.standardErrorContent.isEmpty else { return }
        Issue.record("\(String(decoding: result.standardErrorContent, as: UTF8.self))", sourceLocation: sourceLocation)
    }
}
