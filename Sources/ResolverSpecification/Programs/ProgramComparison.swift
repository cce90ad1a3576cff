import Foundation

/// Runs random programs on two libraries, and compares all observable results step by step.
public struct ProgramComparison: Sendable {
    private let makeReference: @Sendable () -> any SystemUnderTest
    private let makeSystem: @Sendable () -> any SystemUnderTest

    /// Creates a comparison of a system with a reference.
    ///
    /// - Parameters:
    ///   - reference: returns a new system with the right results.
    ///   - system: returns a new system to compare with the reference.
    public init(
        reference: @escaping @Sendable () -> any SystemUnderTest = { ReferenceSystem() },
        system: @escaping @Sendable () -> any SystemUnderTest
    ) {
        makeReference = reference
        makeSystem = system
    }

    /// The result of one program.
    public struct Report: Sendable {
        /// The number of compared steps, including those of callbacks.
        public let steps: Int
        /// The smallest program with a difference, and the difference; nil if there is none.
        public let difference: String?
    }

    /// Runs the program of a seed.
    public func run(seed: UInt64) -> Report {
        var generator = ProgramGenerator(seed: seed)
        let program = generator.program()
        let (steps, difference) = compare(program)
        guard difference != nil else { return Report(steps: steps, difference: nil) }
        let smallest = ProgramShrinker.shrink(program) { compare($0).difference != nil }
        let text = "seed \(seed)\n\(smallest)\n\(compare(smallest).difference ?? "it differs only sometimes")"
        return Report(steps: steps, difference: text)
    }

    private func compare(_ program: Program) -> (steps: Int, difference: String?) {
        let reference = makeReference()
        let right = ProgramRun(program, on: reference)
        // The order is undefined, so there is nothing to compare.
        if (reference as? ReferenceSystem)?.hasCancelled == true { return (0, nil) }
        let observed = ProgramRun(program, on: makeSystem())
        let first = ProgramComparison.difference(right.trace, observed.trace)
        if first != nil { return (right.trace.count, first) }
        // Where the result is known, the second run uses the functions that trap.
        let trapping = ProgramRun(program, on: makeSystem(), functions: right.functions)
        let plain = right.trace.map(ProgramComparison.withoutErrors)
        let second = ProgramComparison.difference(plain, trapping.trace.map(ProgramComparison.withoutErrors))
        return (2 * right.trace.count, second.map { "by resolve() and optional():\n" + $0 })
    }

    /// Removes the errors, because `optional` does not return the reason for nil.
    private static func withoutErrors(_ line: String) -> String {
        for code in [": notRegistered: ", ": factoryReturnedNil: ", ": scopeDeclined: "] {
            if let range = line.range(of: code) { return line[..<range.lowerBound] + ": nil" }
        }
        return line
    }

    private static func difference(_ right: [String], _ observed: [String]) -> String? {
        guard right != observed else { return nil }
        let index = zip(right, observed).enumerated().first { $1.0 != $1.1 }?.offset ?? min(right.count, observed.count)
        let before = right[..<index].suffix(12).map { "  \($0)\n" }.joined()
        let actual = observed[index...].prefix(4).map { "- \($0)\n" }.joined()
        let expected = right[index...].prefix(4).map { "+ \($0)\n" }.joined()
        return "\(before)is\n\(actual)should be\n\(expected)"
    }
}
