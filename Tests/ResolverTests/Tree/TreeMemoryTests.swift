import Resolver
import Testing

/// Memory of a parent after many children.
@Suite struct TreeMemoryTests {
    final class Root: ScopeNode {
        @ChildScope({ (root: Root) in ScopeNode(parent: root) }) var child
        @ChildScope({ (root: Root) in ScopeNode(parent: root) }, .retained) var retained
        lazy var weak: Weak<ScopeNode> = Weak(of: self) { ScopeNode(parent: $0) }
    }

    @Test(.measuresHeap) func `ten thousand children do not grow the heap`() async {
        await #expect(processExitsWith: .success) {
            let root = Root()
            root.resolver.register { Leaf() }.scope(.container)
            await Child.requireFlatHeap("40 000 children") {
                for _ in 0..<10_000 {
                    for node in [root.child, root.retained, root.weak.value, ScopeNode(parent: root)] {
                        node.resolver.register { OtherLeaf() }.scope(.container)
                        _ = (node.resolver.resolve(Leaf.self), node.resolver.resolve(OtherLeaf.self))
                    }
                    root.$retained.release()
                }
            }
        }
    }
}
