import Foundation
import Resolver
import Testing

/// More tasks than the pool has threads, and the pool adds no thread for a blocked one: waiting tasks must suspend.
@Suite struct PoolStarvationTests {
    /// Runs `body` in a thousand tasks of the pool, and expects that all get one instance.
    private static func expectOneInstance(_ body: @escaping @Sendable () async throws -> Leaf) async throws {
        let leaves = try await Tasks.results(1000) { _ in try await body() }
        #expect(leaves.count == 1000)
        #expect(Set(leaves.map(ObjectIdentifier.init)).count == 1)
    }

    @Test func `a thousand tasks that wait for a slow asynchronous service get one instance`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let resolver = Resolver(), made = Box(0), allHaveBegun = Rendezvous(1000)
            resolver.register { () async -> Leaf in
                await allHaveBegun.gate.pass()
                for _ in 0..<20 { await Task.yield() }
                return made.counting(Leaf())
            }.scope(.container)
            try await PoolStarvationTests.expectOneInstance {
                allHaveBegun.arrive()
                return try await resolver.resolveAsync()
            }
            #expect(made.value == 1)
        }
    }

    @Test func `a thousand tasks that resolve a slow synchronous service get one instance`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let resolver = Resolver(), made = Box(0)
            resolver.register { () -> Leaf in
                made.increment()
                // Lets the other threads of the pool arrive, if there are any.
                for _ in 0..<1000 { sched_yield() }
                return Leaf()
            }.scope(.container)
            try await PoolStarvationTests.expectOneInstance { try resolver.tryResolve() }
            #expect(made.value == 1)
        }
    }

    /// The thread continues after all tasks have begun and another task of the pool has finished.
    @Test func `a thousand tasks that wait for a thread's creation do not block the pool`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let resolver = Resolver(), made = Box(0), allHaveBegun = Rendezvous(1000), pause = Pause()
            resolver.register { pause.blocking(made.counting(Leaf())) }.scope(.container)
            async let leaf = Threads.result { resolver.resolve(Leaf.self) }
            try await pause.hasBegun.passUnlessCancelled()
            async let unrelated: Void = {
                try await allHaveBegun.gate.passUnlessCancelled()
                for _ in 0..<20 { await Task.yield() }
                pause.mayEnd.open()
            }()
            try await PoolStarvationTests.expectOneInstance {
                allHaveBegun.arrive()
                return try await resolver.resolveAsync()
            }
            try await unrelated
            _ = await leaf
            #expect(made.value == 1)
        }
    }
}
