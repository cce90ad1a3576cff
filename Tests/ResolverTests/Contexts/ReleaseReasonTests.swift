import Resolver
import Testing

/// Release hooks are told why an instance goes, so that one hook commits or rolls back.
@Suite(.ownResolver) struct ReleaseReasonTests {
    private struct Stop: Error {}

    private let context = ScopeContext.shared, reasons = Box<[String]>([])

    private func word(_ reason: ReleaseReason) -> String {
        switch reason {
        case .threw(let error): "threw \(error)"
        case .cancelled(let error): "cancelled \(error)"
        default: "\(reason)"
        }
    }

    /// Registers a service whose hooks, one of each form, note their reason.
    private func register(_ kind: ScopeKind) {
        Resolver.register { Leaf() }.scoped(to: kind)
            .onRelease { [reasons, word] _, reason in reasons.append(word(reason)) }
            .onRelease { [reasons, word] _, reason async in reasons.append(word(reason)) }
    }

    private func expectReason(_ reason: String, sourceLocation: Testing.SourceLocation = #_sourceLocation) async {
        // Where no form waits, a task runs the second hook.
        while reasons.value.count < 2 { await Task.yield() }
        expect(reasons.value, is: [reason, reason], sourceLocation: sourceLocation)
    }

    @Test(
        arguments: [false, true],
        [
            (error: nil, isCancelled: false, reason: "returned"), (nil, true, "returned"),
            (Stop(), false, "threw Stop()"), (Stop(), true, "cancelled Stop()"),
            (CancellationError(), false, "cancelled CancellationError()"),
        ] as [((any Error)?, Bool, String)])
    func `hooks get the reason why a closure ended`(
        _ isAsync: Bool, _ end: (error: (any Error)?, isCancelled: Bool, reason: String)
    ) async {
        register(.request)
        @Sendable func use() throws {
            _ = Resolver.resolve(Leaf.self)
            if end.isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
            if let error = end.error { throw error }
        }
        @Sendable func useSynchronously() throws { try Resolver.withScope(.request, id: "1", use) }
        let task = Task {
            if isAsync { return try await Resolver.withScope(.request, id: "1") { () async throws in try use() } }
            try useSynchronously()
        }
        expect((await task.result.error == nil), is: end.error == nil)
        await expectReason(end.reason)
    }

    @Test(arguments: [false, true])
    func `hooks get the reason of an end that no end call caused`(_ isReset: Bool) async {
        register(.session)
        if isReset {
            context.setCurrent(.session, id: "1").run { _ = Resolver.resolve(Leaf.self) }
            await Resolver.main.resetAndWait(.all)
        } else {
            context.open(.session, id: "1").run { _ = Resolver.resolve(Leaf.self) }
        }
        await expectReason(isReset ? "released" : "dropped")
    }

    @Test func `a session that fails to replace another rolls back`() async {
        register(.session)
        context.setCurrent(.session, id: "old")
        await #expect(throws: Stop.self) {
            try await context.replaceCurrent(.session, id: "new") {
                _ = Resolver.resolve(Leaf.self)
                throw Stop()
            }
        }
        await expectReason("threw Stop()")
    }

    @Test func `a reason has the error of its closure`() {
        expect(ReleaseReason.threw(Stop()).error is Stop)
        expect(ReleaseReason.cancelled(Stop()).error is Stop)
        expect(ReleaseReason.returned.error, is: nil)
    }
}
