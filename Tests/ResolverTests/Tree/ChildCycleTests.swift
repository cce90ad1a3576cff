import Resolver
import Testing

/// Child scopes that are read during their own creation: a trap with a message, and never a deadlock.
@Suite struct ChildCycleTests {
    /// A scope with two children whose providers are set later.
    final class Crossing: @unchecked Sendable {
        let makeLeft = Box<() -> Leaf>({ Leaf() })
        let makeRight = Box<() -> OtherLeaf>({ OtherLeaf() })
        let left: Weak<Leaf>, right: Weak<OtherLeaf>

        init() {
            left = Weak { [makeLeft] in makeLeft.value() }
            right = Weak { [makeRight] in makeRight.value() }
        }
    }

    final class Owner: @unchecked Sendable {
        @ChildScope({ ($0 as Owner).leaf }) var leaf: Leaf
    }

    @Test(arguments: [false, true])
    func `a child scope that needs itself is a dependency cycle`(_ isProperty: Bool) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [isProperty] in
            Child.mustEnd()
            if isProperty { return _ = Owner().leaf }
            let scope = Crossing()
            scope.makeLeft.set { scope.left.value }
            _ = scope.left.value
        }
        let text = try result.errorText
        #expect(text.contains("ChildCycleTests.swift"))
        #expect(text.contains("RESOLVER: 'child scope of type ResolverTests.Leaf' cannot be resolved"))
        #expect(text.contains("A scope must not ask for itself while it is being created"))
    }

    @Test func `the path of a cycle of child scopes omits children outside the cycle`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Child.mustEnd()
            let (outer, scope) = (Crossing(), Crossing())
            outer.makeLeft.set { scope.left.value }
            scope.makeLeft.set {
                _ = scope.right.value
                return Leaf()
            }
            scope.makeRight.set {
                _ = scope.left.value
                return OtherLeaf()
            }
            _ = outer.left.value
        }
        let text = try result.errorText
        // The outer child is not part of the cycle, although it has the type of a member.
        #expect(
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
            Child.mustEnd()
            let scope = Crossing(), resolver = Resolver()
            resolver.register { () -> OtherLeaf in
                _ = scope.left.value
                return OtherLeaf()
            }
            scope.makeLeft.set {
                _ = resolver.resolve(OtherLeaf.self)
                return Leaf()
            }
            _ = scope.left.value
        }
        let text = try result.errorText
        #expect(text.contains("     child scope of type ResolverTests.Leaf\n  -> ResolverTests.OtherLeaf"))
        #expect(text.contains("\n  -> child scope of type ResolverTests.Leaf\nA scope"))
    }

    @Test func `two child scopes that need each other on two threads are a dependency cycle`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Child.mustEnd()
            let bothInside = Rendezvous(2), scope = Crossing()
            scope.makeLeft.set {
                bothInside.arriveAndWait()
                _ = scope.right.value
                return Leaf()
            }
            scope.makeRight.set {
                bothInside.arriveAndWait()
                _ = scope.left.value
                return OtherLeaf()
            }
            Threads.run({ _ = scope.left.value }, { _ = scope.right.value })
        }
        #expect(try result.errorText.contains("circular dependency"))
    }

    @Test func `two child scopes that need a third on two threads are not a cycle`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let (scope, third) = (Crossing(), Crossing())
            let bothInside = Rendezvous(2)
            third.makeLeft.set { Leaf() }
            scope.makeLeft.set {
                bothInside.arriveAndWait()
                return third.left.value
            }
            scope.makeRight.set {
                bothInside.arriveAndWait()
                _ = third.left.value
                return OtherLeaf()
            }
            Threads.run({ _ = scope.left.value }, { _ = scope.right.value })
        }
    }
}
