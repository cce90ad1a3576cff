import CHeapProbe
import Resolver
import Testing

/// Memory after creation tasks have finished.
@Suite struct AsyncMemoryTests {
    /// Ends the process with a failure if each of four rounds grows the heap. Tasks of the last creations may still
    /// exist, so the measurement has some slack, and a busy machine gets more rounds.
    private static func requireFlat(
        _ what: String, allowing slack: Int = 64 << 10, _ round: () async -> Void
    ) async {
        Child.mustEnd()
        // A call that has to wait throws internally first.
        heap_forget_thrown_errors()
        await round()
        await round()
        var grown: [Int] = []
        repeat {
            let before = Int(heap_bytes_in_use())
            Child.require(before > 1000, "\(before) bytes in use: the probe does not work")
            await round()
            grown.append(Int(heap_bytes_in_use()) - before)
            Child.require(grown.count < 4 || grown[3] <= slack, "\(what) leaves \(grown) bytes")
        } while grown.last! > slack
    }

    @Test(.measuresHeap) func `ten thousand asynchronous creations do not grow the heap`() async {
        await #expect(processExitsWith: .success) {
            let resolver = Resolver()
            resolver.register { () async -> Leaf in
                await Task.yield()
                return Leaf()
            }.implements((any Sendable).self).scope(.container)
            await AsyncMemoryTests.requireFlat("10 000 creations") {
                for _ in 0..<10_000 {
                    _ = try? await resolver.resolveAsync(Leaf.self)
                    resolver.reset(scope: .container)
                }
            }
        }
    }

    @Test(.measuresHeap) func `creation tasks with many waiters do not grow the heap`() async {
        await #expect(processExitsWith: .success) {
            let resolver = Resolver()
            resolver.register { () async -> Leaf in
                await Task.yield()
                return Leaf()
            }.scope(.container)
            await AsyncMemoryTests.requireFlat("1000 creations with 16 callers each") {
                for _ in 0..<1000 {
                    await withTaskGroup(of: Void.self) { group in
                        for _ in 0..<16 { group.addTask { _ = try? await resolver.resolveAsync(Leaf.self) } }
                    }
                    resolver.reset(scope: .container)
                }
            }
        }
    }

    @Test(.measuresHeap) func `creation tasks without an instance do not grow the heap`() async {
        await #expect(processExitsWith: .success) {
            let resolver = Resolver(), last = Box(0)
            resolver.register { (_, _) async -> Leaf? in
                await Task.yield()
                return nil
            }.scope(.container).scopeOnArguments()
            await AsyncMemoryTests.requireFlat("10 000 creations for an argument each") {
                for _ in 0..<10_000 {
                    _ = try? await resolver.optionalAsync(Leaf.self, args: last.increment())
                }
            }
        }
    }

    /// A creation task that succeeds, one that fails, one that returns nil, and one whose callers were all cancelled.
    @Test func `finished creation tasks hold no resolver, factory or instance`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let instanceIsGone = Gate(), factoriesAreGone = Gate(), resolverIsGone = Gate()
            let mayFinish = Gate()
            do {
                let resolver = Resolver(), hasStarted = Gate()
                let captured = DeinitCallback { factoriesAreGone.open() }
                // The resolver's cached instance is released with the resolver.
                resolver.register { DeinitCallback { resolverIsGone.open() } }.scope(.container)
                _ = resolver.resolve(DeinitCallback.self)
                resolver.register(name: "lands") { () async -> DeinitCallback in
                    await Task.yield()
                    return withExtendedLifetime(captured) { DeinitCallback { instanceIsGone.open() } }
                }.scope(.container)
                resolver.register(name: "fails") { r -> DeinitCallback in
                    defer { withExtendedLifetime(captured) {} }
                    return try await r.resolveAsync(name: "nothing")
                }.scope(.container)
                resolver.register(name: "nothing") { () async -> DeinitCallback? in
                    await Task.yield()
                    return withExtendedLifetime(captured) { nil }
                }.scope(.container)
                resolver.register(name: "left") { () async throws -> DeinitCallback in
                    hasStarted.open()
                    try await mayFinish.passUnlessCancelled()
                    return withExtendedLifetime(captured) { DeinitCallback {} }
                }.scope(.container)
                _ = try await resolver.resolveAsync(DeinitCallback.self, name: "lands")
                let failure = await outcome { try await resolver.resolveAsync(DeinitCallback.self, name: "fails") }
                Child.require(failure.resolutionError?.code == .factoryReturnedNil, "\(failure)")
                let nothing = try await resolver.optionalAsync(DeinitCallback.self, name: "nothing")
                Child.require(nothing == nil, "nothing")
                let leaving = Task { try await resolver.resolveAsync(DeinitCallback.self, name: "left") }
                try await hasStarted.passUnlessCancelled()
                leaving.cancel()
                _ = await leaving.result
            }
            mayFinish.open()
            for gate in [instanceIsGone, factoriesAreGone, resolverIsGone] { try await gate.passUnlessCancelled() }
        }
    }
}
