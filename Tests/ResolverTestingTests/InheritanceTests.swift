import Dispatch
import Resolver
import ResolverTesting
import Testing

/// Where running code belongs to a test by itself, and where `run` is needed.
@Suite(.resolver { $0.register { "test" } }) struct InheritanceTests {
    init() { ScopeContext.shared.setCurrent(.session, id: InheritanceTests.session) }

    private static let session = "session of InheritanceTests"

    /// Returns whether the calling code belongs to the test.
    @Sendable private static func belongs(to resolver: Resolver) -> [Bool] {
        [
            Resolver.main === resolver, Resolver.root === resolver, Resolver.optional(String.self) == "test",
            ScopeContext.shared.currentID(for: .session) == session, !ScopeContext.shared.openScopes().isEmpty,
        ]
    }

    private static let yes = Array(repeating: true, count: 5)

    @Test func `the test's task, its tasks and child tasks belong to the test`() async throws {
        let own = Resolver.main
        expect(Self.belongs(to: own), is: Self.yes)
        await expect(Task { Self.belongs(to: own) }.value, is: Self.yes)
        async let child = Self.belongs(to: own)
        await expect(child, is: Self.yes)
        try await expect(Tasks.results(10) { _ in Self.belongs(to: own) }, is: Array(repeating: Self.yes, count: 10))
        await expect(MainActor.run { Self.belongs(to: own) }, is: Self.yes)
    }

    /// The contexts of the test have ended with it.
    @Test func `a task that outlives the test still belongs to it`() async throws {
        let hasEnded = Gate(), task = Box<Task<[Bool], Never>?>(nil)
        try await inTest(.resolver { $0.register { "test" } }) {
            ScopeContext.shared.setCurrent(.session, id: Self.session)
            let own = Resolver.main
            task.set(
                Task {
                    await hasEnded.pass()
                    return Self.belongs(to: own)
                })
        }
        hasEnded.open()
        await expect(task.value?.value, is: [true, true, true, false, false])
    }

    /// Ways to run code of which the test's task is not the parent.
    private static let elsewhere: [@Sendable (@escaping @Sendable () -> [Bool]) async -> [Bool]] = [
        { body in await Task.detached { body() }.value }, { body in await Threads.result { body() } },
        { body in
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async { continuation.resume(returning: body()) }
            }
        },
    ]

    @Test func `detached tasks, threads and queues belong to the test inside run alone`() async {
        let own = Resolver.main
        _ = await App.main
        for run in Self.elsewhere {
            let outside = await run { Self.belongs(to: own) }
            let after = await run {
                own.run {}
                return Self.belongs(to: own)
            }
            // Other tests determine whether the process has open contexts.
            for seen in [outside, after] { expect(seen.dropLast(), is: [false, false, false, false]) }
            await expect(run { own.run { Self.belongs(to: own) } }, is: Self.yes)
        }
        let later = await Task.detached { await own.run { await Task { Self.belongs(to: own) }.value } }.value
        expect(later, is: Self.yes)
    }

    @Test func `registrations and contexts of a task, and of a thread inside run, belong to the test`() async {
        let own = Resolver.main
        await Task { _ = Resolver.register { 5.0 } }.value
        await Threads.result {
            own.run {
                Resolver.register { 6 }
                ScopeContext.shared.setCurrent(.screen, id: "set on a thread")
            }
        }
        expect(Resolver.resolve(Double.self), is: 5)
        expect(Resolver.resolve(Int.self), is: 6)
        expect(ScopeContext.shared.currentID(for: .screen), is: "set on a thread")
    }

    @Test func `run after a test's end restores only the test's registrations`() async throws {
        let resolver = Box<Resolver?>(nil)
        try await inTest(.resolver { $0.register { "ended" } }) {
            ScopeContext.shared.setCurrent(.session, id: "ended")
            resolver.set(Resolver.main)
        }
        let ended = resolver.value!, app = await App.main
        await Threads.result {
            ended.run {
                expect(Resolver.root === ended)
                expect(Resolver.optional(String.self), is: "ended")
                expect(Resolver.main === app)
                expect(ScopeContext.shared.currentID(for: .session) != "ended")
            }
        }
    }

    @Test func `an asynchronous factory runs in the test`() async throws {
        let own = Resolver.main
        Resolver.register(name: .session) { () async in
            await Task.yield()
            return Self.belongs(to: own)
        }.scope(.cached)
        let seen = try await Tasks.results(10) { _ in try await Resolver.resolveAsync([Bool].self, name: .session) }
        expect(seen, is: Array(repeating: Self.yes, count: 10))
    }
}
