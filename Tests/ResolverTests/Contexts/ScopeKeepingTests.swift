import Resolver
import Testing

/// What a scope keeps is handed out without asking, and yet gone when it has to be.
@Suite struct ScopeKeepingTests {
    /// The clock is asked whether the first session is over, and the second one is there before it has answered.
    @Test func `an instance requested while another scope replaces the found one is kept by that other scope`() async {
        await #expect(processExitsWith: .success) {
            let isArmed = Box(false), resolver = Resolver()
            Resolver.clock = ResolverClock {
                if isArmed.exchange(false) { ScopeContext.shared.setCurrent(.session, id: "second") }
                return 0
            }
            resolver.register { Leaf() }.scoped(to: .session)
            ScopeContext.shared.setCurrent(.session, id: "first", expiresAfter: 100)
            isArmed.set(true)
            let leaf: Leaf = resolver.resolve()
            Child.require(ScopeContext.shared.currentID(for: .session) == "second", "it has taken its place")
            Child.require(leaf === resolver.resolve(Leaf.self), "it is kept")
        }
    }

    /// The clock is asked several times during a call. Each time another session may take the place of the one that the
    /// service is registered for.
    @Test func `a scope's own registration is kept by no other scope`() async {
        await #expect(processExitsWith: .success) {
            let asked = Box(Int.min), replacesAt = Box(0), resolver = Resolver()
            Resolver.clock = ResolverClock {
                if asked.increment() == replacesAt.value { ScopeContext.shared.setCurrent(.session, id: "second") }
                return 0
            }
            for moment in 1...8 {
                asked.set(.min)
                let first = ScopeContext.shared.setCurrent(.session, id: "first", expiresAfter: 100)
                first.register { Leaf() }
                replacesAt.set(moment)
                asked.set(0)
                _ = resolver.optional(Leaf.self)
                asked.set(.min)
                let current = ScopeContext.shared.current(.session)
                let expected = current === first ? 1 : 0
                Child.require(current?.instanceCount == expected, "\(moment): kept by \(current?.id ?? "no scope")")
                ScopeContext.shared.clear(.session)
            }
        }
    }

    /// The clock is read when the call has found the service, and when the old session is about to end.
    @Test func `a session keeps nothing that the one it replaces has registered, even before that ends`() async {
        await #expect(processExitsWith: .success) {
            let asked = Box(Int.min), isReplacing = Box(false), isAsking = Box(false)
            let isPlaced = Gate(), isOver = Gate(), context = ScopeContext.shared
            let thread = Box<RunningThread?>(nil), resolver = Resolver()
            Resolver.clock = ResolverClock {
                if asked.increment() == 2 {
                    isReplacing.set(true)
                    thread.set(RunningThread { context.setCurrent(.session, id: "second") })
                    isPlaced.wait()
                } else if isReplacing.value, !isAsking.exchange(true) {
                    if context.currentID(for: .session) == "second" {
                        isPlaced.open()
                        isOver.wait()
                    }
                    isAsking.set(false)
                }
                return 0
            }
            context.setCurrent(.session, id: "first", expiresAfter: 100).register { Leaf() }
            asked.set(0)
            _ = resolver.optional(Leaf.self)
            let kept = context.current(.session)?.instanceCount
            isOver.open()
            thread.value?.join()
            Child.require(kept == 0, "the new session keeps \(kept ?? -1)")
        }
    }
}
