import Resolver
import Testing

/// A `Weak` whose provider captures its scope, whose owner has ended, or that several threads read.
@Suite struct WeakTests {
    final class Owner: @unchecked Sendable {
        let alive: Counted
        lazy var child = Weak(of: self) { Part($0) }
        lazy var cycle = Weak({ Part(self) })

        init(_ alive: Box<Int>) { self.alive = Counted(alive) }
    }

    final class Part: Sendable {
        let owner: Owner, alive: Counted
        init(_ owner: Owner) { (self.owner, alive) = (owner, Counted(owner.alive.alive)) }
    }

    /// The documentation warns of this leak. If this test fails, the language has changed, and the warning can be
    /// removed.
    @Test func `a provider that captures its own scope leaks it`() {
        let alive = Box(0)
        do {
            let owner = Owner(alive)
            _ = owner.cycle.value
        }
        expect(alive.value, is: 1)
    }

    @Test func `reading a Weak whose owner was released traps with a message`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var owner: Owner? = Owner(Box(0))
            let slot = owner?.child
            owner = nil
            _ = slot?.value
        }
        let text = try result.errorText
        expect(text.contains("WeakTests.swift"))
        expect(
            text.contains(
                """
                RESOLVER: the child scope 'ResolverTests.WeakTests.Part' cannot be created.
                Its owner, of type 'ResolverTests.WeakTests.Owner', has been released.
                """))
    }

    @Test func `threads that release and read a child never get a released one`() {
        let alive = Box(0), owner = Owner(alive)
        _ = owner.child
        Threads.run(8) { _ in
            for _ in 0..<500 where owner.child.value.owner !== owner { Issue.record("another child") }
        }
        expect(alive.value, is: 1)
    }

    @Test func `no lock is held while the provider runs`() async {
        await #expect(processExitsWith: .success) {
            let pause = Pause(), got = Box<[Leaf]>([])
            nonisolated(unsafe) let leaf = Weak { pause.blocking(Leaf()) }
            let asking = RunningThread { got.append(leaf.value) }
            await pause.during {
                Child.require(leaf.current == nil, "there is no child yet")
                leaf.release()
            }
            asking.join()
            // The child was released before it existed: the caller has it, and the slot does not.
            Child.require(leaf.current == nil, "the slot does not have it")
            Child.require(got.value.count == 1, "the caller has it")
        }
    }
}
