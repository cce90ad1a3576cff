import Foundation
import ResolverSpecification
import Testing

/// Random programs on the library and on the reference: every step must have the same result.
@Suite struct RandomProgramTests {
    /// All programs run in one process, because they use process-wide state. A process that crashes reports its seed.
    @Test func `random programs have the same results on the library and the reference`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            await Seeds.run("programs", count: 6000) { seed in
                let report = ProgramComparison { ResolverSystem(isInTest: false) }.run(seed: seed)
                return (report.steps, report.difference)
            }
        }
        Seeds.report(result)
    }

    @Test func `a library that ignores a reset fails a short random program`() async {
        await #expect(processExitsWith: .success) {
            let comparison = ProgramComparison { Forgetful(isInTest: false) }
            let program = try #require((1...5000).lazy.compactMap { comparison.run(seed: $0).difference }.first)
            // The shortest program registers, resolves, resets and resolves again.
            expect(program.split(separator: "\n").count { $0.hasPrefix("ask") || $0.hasPrefix("register") } < 8)
        }
    }
}
