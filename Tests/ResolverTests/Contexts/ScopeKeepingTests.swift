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
            expect(ScopeContext.shared.currentID(for: .session), is: "second")
            expect(leaf === resolver.resolve(Leaf.self))
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
            expect(kept, is: 0)
        }
    }
}
