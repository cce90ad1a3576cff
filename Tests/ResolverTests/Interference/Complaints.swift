import Foundation
import Testing

/// What is not as it should be, and how often.
final class Complaints: Sendable {
    private struct Kind {
        var count = 0
        var places: [String] = []
    }

    private static let mostKinds = 40, mostPlaces = 10

    private let kinds = Box<[String: Kind]>([:])

    /// - Parameter place: where it was seen. The first ones are listed.
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

    /// The most frequent ones.
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

    /// In the body of an exit test: hands the complaints to the test. Nothing that a failed process writes is shown.
    func tell() {
        if !isEmpty { FileHandle.standardError.write(Data(text.utf8)) }
    }

    /// In the test: fails with what the process has told.
    static func expectNone(in result: ExitTest.Result?, sourceLocation: Testing.SourceLocation = #_sourceLocation) {
        guard let result, !result.standardErrorContent.isEmpty else { return }
        Issue.record("\(String(decoding: result.standardErrorContent, as: UTF8.self))", sourceLocation: sourceLocation)
    }
}
