import Resolver
import Testing

@Suite struct SingleCreationTests {
    @Test func `a value in the shared scope reaches all waiters and is not cached`() async {
        await #expect(processExitsWith: .success) {
            let subject = CreationSubject(.shared)
            subject.register { [mayFinish = subject.mayFinish] run in
                try await mayFinish.passUnlessCancelled()
                return run
            }
            let values = try await subject.outcomes(of: 16) { try await subject.resolve(Int.self) }.map { try $0.get() }
            expect(values, is: Array(repeating: 1, count: 16))
            try await expect(subject.resolve(Int.self), is: 2)
        }
    }

    /// Another job of the main actor runs only if this one suspends.
    @Test(arguments: CreationRow.allCases, [false, true])
    @MainActor func `every call returns a cached instance without suspending also in a cancelled task`(
        _ row: CreationRow, _ isCancelled: Bool
    ) async throws {
        let subject = CreationSubject(row)
        subject.registerCounted()
        let kept = try await subject.resolve()
        try await Task { () async throws in
            if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
            let hasRun = Box(false), other = Task { hasRun.set(true) }
            try expect(subject.resolveSynchronously() === kept)
            try await expect(subject.resolve() === kept)
            try await expect(subject.optional() === kept)
            try await expect(subject.resolveAlias() === kept)
            expect(!hasRun.value)
            await other.value
        }.value
    }

    @Test func `sixty four callers that find an expired instance wait for one new creation task`() async throws {
        let subject = CreationSubject(.timeToLive)
        subject.registerCounted { [mayFinish = subject.mayFinish] run in
            if run > 1 { try await mayFinish.passUnlessCancelled() }
        }
        let first = try await subject.resolve()
        subject.time.set(10)
        let all = try await subject.outcomes(of: 64) { try await subject.resolve() }.map { try $0.get() }
        expect(all[0] !== first)
        expect(all.allSatisfy { $0 === all[0] })
        expect(subject.made.value, is: 2)
    }

    @Test func `an asynchronous call restarts a time to live that counts from the last use`() async throws {
        let time = ManualTime(), resolver = time.resolver()
        resolver.register { () async in Leaf() }.scope(.cached).timeToLive(10, from: .lastUse)
        let first: Leaf = try await resolver.resolveAsync()
        for seconds in [6.0, 12, 18] {
            time.set(seconds)
            try await expect(resolver.resolveAsync(Leaf.self) === first)
        }
        time.set(28)
        try await expect(resolver.resolveAsync(Leaf.self) !== first)
    }
}
