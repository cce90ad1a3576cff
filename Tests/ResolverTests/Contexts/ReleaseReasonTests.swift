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

    private func expect(_ reason: String, sourceLocation: Testing.SourceLocation = #_sourceLocation) {
        #expect(reasons.value == [reason, reason], sourceLocation: sourceLocation)
    }

    @Test(arguments: [
        (throwing: false, cancelling: false, reason: "returned"), (true, false, "threw Stop()"),
        (true, true, "cancelled Stop()"), (false, true, "returned"),
    ])
    func `hooks get the reason why an asynchronous closure ended`(
        _ isThrowing: Bool, _ isCancelling: Bool, _ reason: String
    ) async {
        register(.request)
        let task = Task {
            try await Resolver.withScope(.request, id: "1") {
                _ = Resolver.resolve(Leaf.self)
                if isCancelling { withUnsafeCurrentTask { $0?.cancel() } }
                if isThrowing { throw Stop() }
            }
        }
        #expect((await task.result.error is Stop) == isThrowing)
        expect(reason)
    }

    @Test func `hooks get the reason why a synchronous closure ended`() throws {
        let kind = ScopeKind("synchronous reasons", rank: 10, binding: .execution), resolver = Resolver()
        resolver.register { Leaf() }.scoped(to: kind)
            .onRelease { [reasons, word] _, reason in reasons.append(word(reason)) }
        for error in [nil, Stop(), CancellationError()] as [(any Error)?] {
            let result = Result {
                try Resolver.withScope(kind, id: "1") {
                    _ = resolver.resolve(Leaf.self)
                    if let error { throw error }
                }
            }
            #expect((result.error == nil) == (error == nil))
        }
        #expect(reasons.value == ["returned", "threw Stop()", "cancelled CancellationError()"])
    }

    @Test(arguments: ["dropped", "replaced", "expired", "released"])
    func `hooks get the reason of an end that no end call caused`(_ end: String) async {
        register(.session)
        let time = ManualTime()
        Resolver.main.clock = time.clock
        if end == "dropped" {
            context.open(.session, id: "1").run { _ = Resolver.resolve(Leaf.self) }
        } else {
            context.setCurrent(.session, id: "1", expiresAfter: 60)
            _ = Resolver.resolve(Leaf.self)
            switch end {
            case "replaced": context.setCurrent(.session, id: "2")
            case "expired":
                time.set(60)
                _ = context.current(.session)
            default: await Resolver.main.resetAndWait(.all)
            }
        }
        // Where no form waits, a task runs the second hook.
        while reasons.value.count < 2 { await Task.yield() }
        expect(end)
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
        expect("threw Stop()")
    }

    @Test func `a reason has the error of its closure`() {
        #expect(ReleaseReason.threw(Stop()).error is Stop)
        #expect(ReleaseReason.cancelled(Stop()).error is Stop)
        #expect(ReleaseReason.returned.error == nil)
    }
}
