import Resolver

/// A problem of the wiring: what is wrong, where, and what to do.
public struct WiringProblem: Sendable, CustomStringConvertible {
    /// What kind of problem it is.
    public let kind: WiringProblemKind
    /// The services that lead to it, the first of which has the problem.
    public let path: [String]
    /// Where the first one is registered; nil if the problem is not one of a registration.
    public let location: Resolver.SourceLocation?
    /// What is wrong.
    public let reason: String
    /// What to do.
    public let advice: String

    /// The registration that may accept it.
    let number: UInt64?

    /// Some lines: kind, reason, advice, path and place.
    public var description: String {
        let path = path.count > 2 ? ["  Path: " + path.joined(separator: " -> ")] : []
        return
            (["\(kind.isWarning ? "warning" : "error"): \(kind)", "  \(reason)", "  \(advice)"] + path
            + (location.map { ["  Registered at \($0)"] } ?? [])).joined(separator: "\n")
    }
}

/// What `verify()` or `rehearse` has found.
public struct WiringReport: Error, Sendable, CustomStringConvertible {
    /// The errors, then the warnings, each sorted by the place of the registration.
    public let problems: [WiringProblem]
    /// How many registrations were looked at, without those of `.implements`.
    public let registrations: Int
    /// How many of them say what they need.
    public let declared: Int
    /// The services that a rehearsal has not created, each with the reason. Empty for `verify()`.
    public let notCreated: [String]

    private let isOfRehearsal: Bool

    /// The problems that have to be mended or accepted.
    public var errors: [WiringProblem] { problems.filter { !$0.kind.isWarning } }
    /// The problems that change nothing but the effect of a modifier.
    public var warnings: [WiringProblem] { problems.filter(\.kind.isWarning) }

    /// The number of problems, each problem, and what was not looked at.
    public var description: String {
        func count(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }
        let head = "RESOLVER: the wiring has \(count(errors.count, "error")) and \(count(warnings.count, "warning"))."
        let limits =
            isOfRehearsal
            ? "Branches that were not taken, lazy properties, and calls after the creation were not checked."
            : "\(declared) of \(registrations) registrations say what they need, by autoregister or .needs(…). "
                + "What other closures resolve, lazy properties, and calls after the creation were not checked."
        let others = notCreated.isEmpty ? [] : (["Not created:"] + notCreated.map { "  \($0)" })
        return ([head] + problems.map(\.description) + [(others + [limits]).joined(separator: "\n")])
            .joined(separator: "\n\n")
    }

    /// - Parameter notCreated: nil where nothing was to be created.
    init(_ problems: [WiringProblem], of services: [RegisteredService], notCreated: [String]? = nil) {
        self.notCreated = notCreated ?? []
        isOfRehearsal = notCreated != nil
        self.problems = problems.map { problem in
            (problem, problem.kind.isWarning ? 1 : 0, problem.location.map { "\($0.fileID)" } ?? "")
        }.sorted {
            ($0.1, $0.2, $0.0.location?.line ?? 0, $0.0.kind.rawValue, $0.0.reason)
                < ($1.1, $1.2, $1.0.location?.line ?? 0, $1.0.kind.rawValue, $1.0.reason)
        }.map(\.0)
        registrations = services.count { $0.target == nil }
        declared = services.count { $0.target == nil && $0.isDeclared }
    }
}
