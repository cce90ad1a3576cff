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

    @Test(arguments: [false, true])
    func `a child scope that needs itself is a dependency cycle`(_ isProperty: Bool) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [isProperty] in
            if isProperty { return _ = Owner().leaf }
            let scope = Crossing()
            scope.beforeLeft.set { _ = scope.left.value }
            _ = scope.left.value
        }
        let text = try result.errorText
        expect(text.contains("ChildCycleTests.swift"))
        expect(text.contains("RESOLVER: 'child scope of type ResolverTests.Leaf' cannot be resolved"))
        expect(text.contains("A scope must not ask for itself while it is being created"))
    }

    @Test func `the path of a cycle of child scopes omits children outside the cycle`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (outer, scope) = (Crossing(), Crossing())
            outer.beforeLeft.set { _ = scope.left.value }
            scope.beforeLeft.set { _ = scope.right.value }
            scope.beforeRight.set { _ = scope.left.value }
            _ = outer.left.value
        }
        let text = try result.errorText
        // The outer child is not part of the cycle, although it has the type of a member.
        expect(
            text.contains(
                """
                Path:
                     child scope of type ResolverTests.Leaf
                  -> child scope of type ResolverTests.OtherLeaf
                  -> child scope of type ResolverTests.Leaf
                A scope
                """), "\(text)")
    }

    @Test func `the path of a cycle includes services between child scopes`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let scope = Crossing(), resolver = Resolver()
            resolver.register { OtherLeaf(after: scope.left.value) }
            scope.beforeLeft.set { _ = resolver.resolve(OtherLeaf.self) }
            _ = scope.left.value
        }
        let text = try result.errorText
        expect(text.contains("     child scope of type ResolverTests.Leaf\n  -> ResolverTests.OtherLeaf"))
        expect(text.contains("\n  -> child scope of type ResolverTests.Leaf\nA scope"))
    }

    @Test func `two child scopes that need each other on two threads are a dependency cycle`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let bothInside = Rendezvous(2), scope = Crossing()
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
        try expect(result.errorText.contains("circular dependency"))
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
