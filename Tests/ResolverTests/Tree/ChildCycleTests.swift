import Resolver
import Testing

@Suite struct ChildCycleTests {
    /// A scope with two children, and what each of them does before it is created.
    final class Crossing: @unchecked Sendable {
        let beforeLeft = Box<() -> Void>({}), beforeRight = Box<() -> Void>({})
        let left: Weak<Leaf>, right: Weak<OtherLeaf>

        init() {
            left = Weak { [beforeLeft] in Leaf(after: beforeLeft.value()) }
            right = Weak { [beforeRight] in OtherLeaf(after: beforeRight.value()) }
        }
    }

    final class Owner: @unchecked Sendable { @ChildScope({ ($0 as Owner).leaf }) var leaf: Leaf }

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
            case .property: return _ = Owner().leaf
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
        for part in cycle.texts + ["ChildCycleTests.swift", advice] { expect(text.contains(part), "\(part): \(text)") }
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
