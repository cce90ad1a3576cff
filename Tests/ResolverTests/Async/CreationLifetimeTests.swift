import Resolver
import Testing

/// Creation tasks with a time to live, and behind a protocol.
@Suite struct CreationLifetimeTests {
    @Test func `sixty four callers that find an expired instance wait for one new creation task`() async throws {
        let subject = CreationSubject(.timeToLive)
        subject.registerCounted { [mayFinish = subject.mayFinish] run in
            if run > 1 { try await mayFinish.passUnlessCancelled() }
        }
        let first = try await subject.resolve()
        subject.time.set(10)
        let all = try await subject.outcomes(of: 64) { try await subject.resolve() }.map { try $0.get() }
        #expect(all[0] !== first)
        #expect(all.allSatisfy { $0 === all[0] })
        #expect(subject.made.value == 2)
    }

    @Test func `an asynchronous call restarts a time to live that counts from the last use`() async throws {
        let time = ManualTime(), resolver = time.resolver()
        resolver.register { () async in Leaf() }.scope(.cached).timeToLive(10, from: .lastUse)
        let first: Leaf = try await resolver.resolveAsync()
        for seconds in [6.0, 12, 18] {
            time.set(seconds)
            #expect(try await resolver.resolveAsync(Leaf.self) === first)
        }
        time.set(28)
        #expect(try await resolver.resolveAsync(Leaf.self) !== first)
    }

    @Test func `an asynchronous service behind a protocol is shared while it is referenced`() async throws {
        let resolver = Resolver()
        resolver.register { () async -> Role in Player() }.scope(.shared)
        let role: Role = try await resolver.resolveAsync()
        #expect(try await resolver.resolveAsync(Role.self) === role)
    }
}
