import Resolver
import Testing

@Suite struct ContainerTests {
    private let container = Resolver(), child = Resolver()
    init() { container.add(child: child) }

    @available(swift, deprecated: 5.0, message: "Tests a deprecated initializer.")
    @Test func `the deprecated parent is a child`() {
        child.register { Page("child") }
        #expect(Resolver(parent: child).resolve(Page.self).label == "child")
    }

    @Test func `a container's cache can be replaced`() {
        container.register { Leaf() }.scope(.container)
        let first: Leaf = container.resolve(), old = container.cache
        container.cache = ResolverScopeShare()
        weak let second = container.resolve(Leaf.self)
        #expect(first !== second)
        #expect(second == nil)
        container.cache = old
        #expect(first === container.resolve(Leaf.self))
    }
}
