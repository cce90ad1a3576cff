import Foundation
import ResolverSpecification
import Testing

/// Random programs, on the library and on the reference: every step has to come to the same.
@Suite struct RandomProgramTests {
    /// One process for all, as programs use what a process shares; and one that dies tells how far it came.
    @Test func `random programs have the same results on the library and the reference`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            await Seeds.run("programs", count: 6000) { seed in
                let report = ProgramComparison { ResolverSystem(isInTest: false) }.run(seed: seed)
                return (report.steps, report.difference)
            }
        }
        Seeds.report(result)
    }

    @Test func `a library that ignores a reset fails a short random program`() throws {
        let comparison = ProgramComparison { Forgetful() }
        let found = (1...5000).lazy.compactMap { comparison.run(seed: $0).difference }.first
        let program = try #require(found)
        // What was registered, asked for, let go of, and asked for again.
        #expect(program.split(separator: "\n").count { $0.hasPrefix("ask") || $0.hasPrefix("register") } < 8)
    }
}
