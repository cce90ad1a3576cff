import Resolver
import Testing

/// Release hooks are told why an instance goes, so that one hook commits or rolls back.
@Suite(.ownResolver) struct ReleaseReasonTests {
    private struct Stop: Error {}

    private let context = ScopeContext.shared, reasons = Box<[String]>([])

    private func note(_ reason: ReleaseReason) {
        switch reason {
        case .threw(let error): reasons.append("threw \(error)")
        case .cancelled(let error): reasons.append("cancelled \(error)")
        default: reasons.append("\(reason)")
        }
    }

    /// Registers a service whose hooks, one of each form, note their reason.
    private func register(_ kind: ScopeKind) {
        Resolver.register { Leaf() }.scoped(to: kind).onRelease { _, reason in note(reason) }
            .onRelease { _, reason async in note(reason) }
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
            if !isAsync { return try useSynchronously() }
            try await Resolver.withScope(.request, id: "1") { () async throws in try use() }
        }
        await expect(task.result.error == nil, is: end.error == nil)
        await expectReason(end.reason)
    }

    @Test(arguments: ["released", "dropped", "threw Stop()"])
    func `hooks get the reason of an end that no end call caused`(_ reason: String) async {
        register(.session)
        switch reason {
        case "released":
            context.setCurrent(.session, id: "1").run { _ = Resolver.resolve(Leaf.self) }
            await Resolver.main.resetAndWait(.all)
        case "dropped": context.open(.session, id: "1").run { _ = Resolver.resolve(Leaf.self) }
        default:
            // A session that fails to replace another one rolls back.
            context.setCurrent(.session, id: "old")
            try? await context.replaceCurrent(.session, id: "new") {
                _ = Resolver.resolve(Leaf.self)
                throw Stop()
            }
        }
        await expectReason(reason)
    }

    @Test func `a reason has the error of its closure`() {
        expect(ReleaseReason.threw(Stop()).error is Stop)
        expect(ReleaseReason.cancelled(Stop()).error is Stop)
        expect(ReleaseReason.returned.error, is: nil)
    }
}
