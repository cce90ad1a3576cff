import Foundation
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

    enum Maker: String, CaseIterable, Codable { case creationTask, callingTask, thread }

    /// The tasks are more than the pool has threads, and the pool adds no thread for a blocked one: waiting tasks must suspend.
    @Test(arguments: Maker.allCases)
    func `a thousand tasks that ask for a slow service get one instance`(_ maker: Maker) async {
        await #expect(processExitsWith: .success) { [maker] in
            let resolver = Resolver(), made = Box(0), allHaveBegun = Rendezvous(1000), pause = Pause()
            // Another task of the pool lets the service be made.
            async let permission: Void = {
                await allHaveBegun.gate.pass()
                for _ in 0..<20 { await Task.yield() }
                pause.mayEnd.open()
            }()
            switch maker {
            case .creationTask:
                resolver.register { await pause.suspending(made.counting(Leaf())) }.scope(.container)
            case .callingTask:
                resolver.register { () -> Leaf in
                    // Lets the other threads of the pool arrive, if there are any.
                    for _ in 0..<1000 { sched_yield() }
                    return made.counting(Leaf())
                }.scope(.container)
            case .thread: resolver.register { pause.blocking(made.counting(Leaf())) }.scope(.container)
            }
            async let leaf: Leaf? = maker == .thread ? await Threads.result { resolver.resolve(Leaf.self) } : nil
            if maker == .thread { await pause.hasBegun.pass() }
            let leaves = try await Tasks.results(1000) { _ in
                allHaveBegun.arrive()
                return maker == .callingTask ? try resolver.tryResolve(Leaf.self) : try await resolver.resolveAsync()
            }
            _ = await (permission, leaf)
            expect(Set(leaves.map(ObjectIdentifier.init)).count, is: 1)
            expect(made.value, is: 1)
        }
    }
}
