import Resolver
import Testing

/// A `Weak` whose provider captures its scope, whose owner has ended, or that several threads read, and child scopes that need
/// themselves.
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

    /// A scope with two children, and what each of them does before it is created.
    final class Crossing: @unchecked Sendable {
        let beforeLeft = Box<() -> Void>({}), beforeRight = Box<() -> Void>({})
        let left: Weak<Leaf>, right: Weak<OtherLeaf>

        init() {
            left = Weak { [beforeLeft] in Leaf(after: beforeLeft.value()) }
            right = Weak { [beforeRight] in OtherLeaf(after: beforeRight.value()) }
        }
    }

    final class Knot: @unchecked Sendable { @ChildScope({ ($0 as Knot).leaf }) var leaf: Leaf }

    /// The ways in which a child scope needs itself.
    enum Cycle: String, CaseIterable, Codable {
        case itself, property, behindAnotherChild, throughAService, onTwoThreads

        /// Parts of the message. Which of two threads enters the cycle first is open.
        var texts: [String] {
            let leaf = "child scope of type ResolverTests.Leaf"
            switch self {
            case .itself, .property: return ["RESOLVER: '\(leaf)' cannot be resolved"]
            // The outer child is not part of the cycle, although it has the type of a member.
            case .behindAnotherChild:
                return ["Path:\n     \(leaf)\n  -> child scope of type ResolverTests.OtherLeaf\n  -> \(leaf)\nA scope"]
            case .throughAService: return ["     \(leaf)\n  -> ResolverTests.OtherLeaf", "\n  -> \(leaf)\nA scope"]
            case .onTwoThreads: return ["circular dependency"]
            }
        }
    }

    @Test(arguments: Cycle.allCases)
    func `a child scope that needs itself is a dependency cycle whose path is reported`(_ cycle: Cycle) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [cycle] in
            let scope = Crossing(), outer = Crossing(), resolver = Resolver(), bothInside = Rendezvous(2)
            switch cycle {
            case .itself: scope.beforeLeft.set { _ = scope.left.value }
            case .property: return _ = Knot().leaf
            case .behindAnotherChild:
                outer.beforeLeft.set { _ = scope.left.value }
                scope.beforeLeft.set { _ = scope.right.value }
                scope.beforeRight.set { _ = scope.left.value }
                return _ = outer.left.value
            case .throughAService:
                resolver.register { OtherLeaf(after: scope.left.value) }
                scope.beforeLeft.set { _ = resolver.resolve(OtherLeaf.self) }
            case .onTwoThreads:
                scope.beforeLeft.set {
                    bothInside.arriveAndWait()
                    _ = scope.right.value
                }
                scope.beforeRight.set {
                    bothInside.arriveAndWait()
                    _ = scope.left.value
                }
                Threads.run({ _ = scope.left.value }, { _ = scope.right.value })
            }
            _ = scope.left.value
        }
        let text = try result.errorText
        let advice = "A scope must not ask for itself while it is being created"
        for part in cycle.texts + ["WeakTests.swift", advice] { expect(text.contains(part), "\(part): \(text)") }
    }

    @Test func `two child scopes that need a third on two threads are not a cycle`() async {
        await #expect(processExitsWith: .success) {
            let (scope, third) = (Crossing(), Crossing())
            let bothInside = Rendezvous(2)
            for child in [scope.beforeLeft, scope.beforeRight] {
                child.set {
                    bothInside.arriveAndWait()
                    _ = third.left.value
                }
            }
            Threads.run({ _ = scope.left.value }, { _ = scope.right.value })
        }
    }
}
