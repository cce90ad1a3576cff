import Resolver
import Testing

/// A context that ends before a creation task for it begins.
@Suite struct CreationEarlyEndTests {
    @Test func `a context that ends before a creation begins cancels the factory's task`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let ending = Box<ScopeHandle?>(nil)
            // The session's clock is read during the call, and the request ends there.
            Resolver.clock = ResolverClock {
                ending.update { ending in
                    defer { ending = nil }
                    return ending
                }?.end()
                return 0
            }
            let resolver = Resolver(), callerIsBack = Gate(), hasRun = Gate(), wasCancelled = Box(false)
            resolver.register { () async -> Leaf in
                await callerIsBack.pass()
                wasCancelled.set(Task.isCancelled)
                hasRun.open()
                return Leaf()
            }.scoped(to: .request)
            ScopeContext.shared.setCurrent(.session, id: "1", expiresAfter: 1000)
            let error = await Resolver.withScope(.request, id: "1") {
                ending.set(ScopeContext.shared.current(.request))
                return await resolver.asyncFailure(Leaf.self)
            }
            Child.require(error?.code == .scopeEnded, "\(String(describing: error))")
            callerIsBack.open()
            try await hasRun.passUnlessCancelled()
            Child.require(wasCancelled.value, "the factory's task is cancelled")
        }
    }
}
