import Resolver
import Testing

@Suite struct SharedScopeTests {
    /// Each round is one race: one thread releases the last reference while the other thread resolves.
    @Test func `a call concurrent with the last release gets the only live object`() async {
        await #expect(processExitsWith: .success) {
            let rounds = 20_000, alive = Box(0), held = Box<Counted?>(nil), resolver = Resolver(), meeting = Barrier(2)
            resolver.register { Counted(alive) }.scope(.shared)
            Threads.run {
                for _ in 0..<rounds {
                    held.set(resolver.resolve(Counted.self))
                    meeting.arriveAndWait()
                    held.set(nil)
                    for _ in 0..<2 { meeting.arriveAndWait() }
                }
            } beside: {
                for round in 0..<rounds {
                    meeting.arriveAndWait()
                    let found: Counted = resolver.resolve()
                    meeting.arriveAndWait()
                    Child.require(found.alive === alive, "round \(round): it is intact")
                    Child.require(alive.value == 1, "round \(round): \(alive.value) are alive")
                    Child.require(resolver.resolve(Counted.self) === found, "round \(round): it is shared")
                    meeting.arriveAndWait()
                }
            }
            Child.require(alive.value == 0, "no reference exists")
        }
    }
}
