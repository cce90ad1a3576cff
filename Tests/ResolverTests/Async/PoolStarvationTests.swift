import Foundation
import Resolver
import Testing

/// More tasks than the pool has threads, and the pool adds no thread for a blocked one: waiting tasks must suspend.
@Suite struct PoolStarvationTests {
    /// Runs `body` in a thousand tasks of the pool and counts the different instances.
    private static func instances(
        _ body: @escaping @Sendable () async throws -> Leaf
    ) async throws -> (tasks: Int, different: Int) {
        try await withThrowingTaskGroup(of: Leaf.self) { group in
            for _ in 0..<1000 { group.addTask(operation: body) }
            let all = try await group.reduce(into: []) { $0.append($1) }
            return (all.count, Set(all.map { ObjectIdentifier($0) }).count)
        }
    }

    @Test func `a thousand tasks that wait for a slow asynchronous service get one instance`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let resolver = Resolver(), made = Box(0)
            resolver.register { () async throws -> Leaf in
                made.increment()
                for _ in 0..<20 { await Task.yield() }
                try await Task.sleep(nanoseconds: 20_000_000)
                for _ in 0..<20 { await Task.yield() }
                return Leaf()
            }.scope(.container)
            let got = try await PoolStarvationTests.instances { try await resolver.resolveAsync() }
            Child.require(got == (1000, 1), "\(got)")
            Child.require(made.value == 1, "one run of \(made.value)")
        }
    }

    @Test func `a thousand tasks that resolve a slow synchronous service get one instance`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let resolver = Resolver(), made = Box(0)
            resolver.register { () -> Leaf in
                made.increment()
                usleep(50_000)
                return Leaf()
            }.scope(.container)
            let got = try await PoolStarvationTests.instances { try resolver.tryResolve() }
            Child.require(got == (1000, 1), "\(got)")
            Child.require(made.value == 1, "one run of \(made.value)")
        }
    }

    /// The thread continues after all tasks have begun and another task of the pool has finished.
    @Test func `a thousand tasks that wait for a thread's creation do not block the pool`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let resolver = Resolver(), made = Box(0), arrived = Box(0)
            let hasStarted = Gate(), allAreHere = Gate(), mayFinish = Gate()
            resolver.register { () -> Leaf in
                made.increment()
                hasStarted.open()
                mayFinish.wait()
                return Leaf()
            }.scope(.container)
            async let leaf = Threads.result { resolver.resolve(Leaf.self) }
            try await hasStarted.passUnlessCancelled()
            async let unrelated: Void = {
                try await allAreHere.passUnlessCancelled()
                for _ in 0..<20 { await Task.yield() }
                mayFinish.open()
            }()
            let got = try await PoolStarvationTests.instances {
                if arrived.increment() == 1000 { allAreHere.open() }
                return try await resolver.resolveAsync()
            }
            try await unrelated
            _ = await leaf
            Child.require(got == (1000, 1), "\(got)")
            Child.require(made.value == 1, "one run of \(made.value)")
        }
    }
}
