import Resolver

/// A problem in the wiring, with its cause, its source location and advice.
public struct WiringProblem: Sendable, CustomStringConvertible {
    /// The kind of problem.
    public let kind: WiringProblemKind
    /// The services on the path to the problem. The first one has the problem.
    public let path: [String]
    /// The source location of the first service's registration; nil if the problem is not about a registration.
    public let location: Resolver.SourceLocation?
    /// The cause of the problem.
    public let reason: String
    /// The way to solve the problem.
    public let advice: String

    /// The numbers of the registrations that may accept the problem. The first one has the problem.
    let numbers: [UInt64]

    /// A text of several lines: kind, reason, advice, path and location.
    public var description: String {
        // The reason names the services of a shorter path, except where the last one hangs.
        let path = path.count > (kind == .hangs ? 1 : 2) ? ["  Path: " + path.joined(separator: " -> ")] : []
        return
            (["\(kind.isWarning ? "warning" : "error"): \(kind)", "  \(reason)", "  \(advice)"] + path
            + (location.map { ["  Registered at \($0)"] } ?? [])).joined(separator: "\n")
    }
}

/// The result of `verify()` or `rehearse`.
public struct WiringReport: Error, Sendable, CustomStringConvertible {
    /// The errors, then the warnings, each sorted by the source location of the registration.
    public let problems: [WiringProblem]
    /// The number of registrations, without aliases.
    public let registrations: Int
    /// The number of registrations with declared dependencies.
    public let declared: Int
    /// The services that a rehearsal has not created, with reasons. Empty for `verify()`.
    public let notCreated: [String]

    private let isOfRehearsal: Bool

    /// The problems that must be solved or accepted.
    public var errors: [WiringProblem] { problems.filter { !$0.kind.isWarning } }
    /// The problems that do not make `verify()` or `rehearse` throw.
    public var warnings: [WiringProblem] { problems.filter(\.kind.isWarning) }

    /// The number of problems, each problem, and the limits of the check.
    public var description: String {
        func count(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }
        let head = "RESOLVER: the wiring has \(count(errors.count, "error")) and \(count(warnings.count, "warning"))."
        let limits =
            isOfRehearsal
            ? "Branches that were not taken, lazy properties, and calls after the creation were not checked."
            : "\(declared) of \(registrations) registrations declare their dependencies, with autoregister or .needs(…). "
                + "Dependencies of other closures, lazy properties, and calls after the creation were not checked."
        let others = notCreated.isEmpty ? [] : (["Not created:"] + notCreated.map { "  \($0)" })
        return ([head] + problems.map(\.description) + [(others + [limits]).joined(separator: "\n")])
            .joined(separator: "\n\n")
    }

    /// - Parameter notCreated: nil for `verify()`, which creates nothing.
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
