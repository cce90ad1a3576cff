import Resolver
import Testing

/// Who has waited for a flight gets what it has made, also if the scope ends before he gets to look.
@Suite struct LateWaiterTests {
    private final class Part: Sendable {}

    private static let kind = ScopeKind("late waiters", rank: 16, binding: .execution)

    /// - Parameter register: registers what waits for the gate, and counts.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    private func expectOne(
        _ resolver: Resolver, _ register: (ScopeHandle, @escaping @Sendable () async -> Part) -> Void
    ) async throws {
        let hasStarted = SteadyGate(), mayFinish = SteadyGate(), runs = Box(0)
        let handle = ScopeContext.shared.open(Self.kind, id: "1")
        register(handle) {
            runs.increment()
            hasStarted.open()
            await mayFinish.wait()
            return Part()
        }
        let executor = HoldingExecutor()
        let late = Task(executorPreference: executor) {
            try await handle.run { () async throws in try await resolver.resolveAsync(Part.self) }
        }
        await hasStarted.wait()
        executor.hold()
        mayFinish.open()
        let part = try await handle.run { () async throws in try await resolver.resolveAsync(Part.self) }
        handle.end()
        executor.release()
        #expect(try await late.value === part)
        #expect(runs.value == 1)
    }

    @Test func `of what is registered for all scopes`() async throws {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        let resolver = Resolver()
        try await expectOne(resolver) { resolver.register(factory: $1).scoped(to: Self.kind) }
    }

    @Test func `of what requires its scope`() async throws {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        let resolver = Resolver()
        try await expectOne(resolver) { resolver.register(factory: $1).scoped(to: Self.kind, required: true) }
    }

    @Test func `of what is registered for the scope alone`() async throws {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        try await expectOne(Resolver()) { $0.register(factory: $1) }
    }

    @Test func `of what stands in front of a registration`() async throws {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        let resolver = Resolver()
        resolver.register { Part() }
        try await expectOne(resolver) { $0.register(factory: $1) }
    }

    /// Whose it is is not said: it was asked for before the scope had one of its own.
    @Test func `of what the scope registers for itself meanwhile`() async throws {
        let resolver = Resolver(), hasStarted = SteadyGate(), mayFinish = SteadyGate()
        resolver.register { () -> Part in
            hasStarted.open()
            await mayFinish.wait()
            return Part()
        }.scope(ResolverScopeCache())
        let handle = ScopeContext.shared.open(Self.kind, id: "1")
        let late = Task { try await handle.run { () async throws in try await resolver.resolveAsync(Part.self) } }
        await hasStarted.wait()
        handle.register { () -> Part in
            await Task.yield()
            return Part()
        }
        mayFinish.open()
        #expect(await late.result.error == nil)
        handle.end()
    }
}
