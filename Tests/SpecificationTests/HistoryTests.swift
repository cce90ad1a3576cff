import ResolverSpecification
import Testing

/// Random concurrent calls: some sequential order must explain every result.
@Suite struct HistoryTests {
    @Test func `every history of concurrent calls has a sequential order`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            await Seeds.run("histories", count: 2000) { seed in
                HistoryCheck { ResolverSystem(isInTest: false) }.run(seed: seed)
            }
        }
        Seeds.report(result)
    }

    @Test func `a library that ignores a reset fails a history check`() async {
        await #expect(processExitsWith: .success) {
            let check = HistoryCheck { Forgetful(isInTest: false) }
            await expect(Threads.result { (1...2000).contains { check.run(seed: $0).problem != nil } })
        }
    }
}
