import Resolver
import ResolverTesting
import Testing

/// A test that waits for a lookup in a main-actor module.
@Suite struct LogTests {
    private final class Letter {}

    private var count = 0

    @Test(.resolver(.logged) { $0.register { @MainActor in Letter() } })
    mutating func `the condition of next runs on the test's actor`() async throws {
        let log = try #require(ResolutionLog.current)
        Task { _ = (Resolver.optional(Int.self), Resolver.resolve(Letter.self)) }
        let entry = await log.next {
            MainActor.assertIsolated()
            count += 1
            return $0.type == Letter.self
        }
        expect(entry?.isRegistered, is: true)
        expect(count, is: 2)
        MainActor.assertIsolated()
    }
}
