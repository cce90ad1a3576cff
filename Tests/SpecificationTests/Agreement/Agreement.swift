import ConcurrencySupport
import Resolver
import Testing

/// Random programs on two set-ups that have to give the same answers, in the same order.
///
/// The reference says what a program gives; these say that nothing else changes it. They need no model, so their factories, completions
/// and hooks may do what the reference has no model of: resolve, reset, register and end scopes themselves.
@Suite struct AgreementTests {
    @Test func `a random program gives the same answers on every set-up`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            await Seeds.run("agreements", count: 5000) { seed in Agreement.run(seed: seed) }
        }
        Seeds.report(result)
    }

    @Test func `a set-up whose factories run twice fails a short program`() throws {
        let found = try #require((1...1000).lazy.compactMap { Agreement(.twice).difference(seed: $0) }.first)
        expect(found.split(separator: "\n").count < 30, "\(found)")
    }
}

/// What may differ between two runs of a program without a change of its answers.
enum Setup: CaseIterable {
    /// As the program says.
    case plain
    case observed, decorated
    /// Requests go to a child, to a child of a child, to an isolating resolver of the one with the registrations, or to a child of that.
    case child, grandchild, isolating, childOfIsolating
    /// Requests go to `root`.
    case root
    /// Requests go to an alias of each service.
    case alias
    /// Each registration has another modifier that does nothing.
    case longTimeToLive, hook, completion, update
    /// The scope of the program's own is a class of its own, or passes its calls on to one.
    case subclass, passingOn
    /// A scope is opened, and its handle runs the code.
    case handle
    /// Another scope has its own registrations of all services.
    case otherScope
    /// Each factory runs once more, and the first result is dropped: what must be noticed.
    case twice

    var isIsolating: Bool { self == .isolating || self == .childOfIsolating }

    static let agreeing = allCases.filter { $0 != .plain && $0 != .twice }
}

struct Agreement {
    private let setup: Setup

    init(_ setup: Setup) { self.setup = setup }

    /// Runs one program on every seventh set-up.
    static func run(seed: UInt64) -> (steps: Int, problem: String?) {
        let program = AgreementProgram(seed: seed), plain = AgreementRun(.plain).answers(of: program)
        for (index, setup) in Setup.agreeing.enumerated() where UInt64(index) % 7 == seed % 7 {
            let agreement = Agreement(setup)
            // There are two resolvers to reset, one after the other.
            if setup.isIsolating, program.resetsScopes { continue }
            if agreement.difference(program, plain) == nil { continue }
            return (0, "seed \(seed), \(agreement.shortest(program))")
        }
        return (plain.count, nil)
    }

    /// Returns the shortest program that is found with different answers, and these; nil if they are the same.
    func difference(seed: UInt64) -> String? {
        let program = AgreementProgram(seed: seed)
        return difference(program) == nil ? nil : shortest(program)
    }

    private func shortest(_ program: AgreementProgram) -> String {
        var program = program, index = 0
        while index < program.count {
            let shorter = program.without(index)
            if difference(shorter) == nil { index += 1 } else { program = shorter }
        }
        return "\(setup):\n\(program)\(difference(program)!)"
    }

    private func difference(_ program: AgreementProgram) -> String? {
        difference(program, AgreementRun(.plain).answers(of: program))
    }

    private func difference(_ program: AgreementProgram, _ plain: [String]) -> String? {
        let plain = withoutReasons(plain), other = withoutReasons(AgreementRun(setup).answers(of: program))
        if plain == other { return nil }
        let same = zip(plain, other).prefix { $0 == $1 }.count
        let (expected, found) = (plain[same...].first ?? "nothing", other[same...].first ?? "nothing")
        return "\(found) is not \(expected) after \(plain[..<same].suffix(8).joined(separator: "; "))"
    }

    /// The reason of a nil behind an alias is the alias.
    private func withoutReasons(_ answers: [String]) -> [String] {
        if setup != .alias { return answers }
        let nils = ["notRegistered", "factoryReturnedNil", "scopeDeclined"]
        return answers.map { answer in nils.contains { answer.hasSuffix($0) } ? "nil" : answer }
    }
}
