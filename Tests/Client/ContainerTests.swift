import Resolver
import Testing

@Suite struct ContainerTests {
    private let container = Resolver(), child = Resolver()

    init() { container.add(child: child) }

    @Test func `a container searches itself and then its children`() {
        child.register { Page("child") }
        child.register { Sign(label: "child") }
        container.register { Sign(label: "container") }
        #expect(container.resolve(Page.self).label == "child")
        #expect(container.resolve(Sign.self).label == "container")
        #expect(child.resolve(Sign.self).label == "child")
    }

    @Test func `a child does not search its siblings`() {
        let sibling = Resolver()
        container.add(child: sibling)
        child.register { Leaf() }
        #expect(sibling.optional(Leaf.self) == nil)
    }

    @Test func `children are searched in the order in which they were added, each with its own children`() {
        let sibling = Resolver(), grandchild = Resolver()
        container.add(child: sibling)
        sibling.register { Page("sibling") }
        sibling.register { Sign(label: "sibling") }
        child.register { Page("child") }
        child.add(child: grandchild)
        grandchild.register { Sign(label: "grandchild") }
        #expect(container.resolve(Page.self).label == "child")
        #expect(container.resolve(Sign.self).label == "grandchild")
    }

    @Test func `a child's factory gets the container that was asked`() {
        child.register { Branch($0.resolve()) }
        container.register { Leaf() }
        #expect(container.optional(Branch.self) != nil)
    }

    @Test func `a container overrides named and unnamed services separately`() {
        child.register { Page("child") }
        child.register(name: .fred) { Page("child's fred") }
        container.register(name: .fred) { Page("container's fred") }
        #expect(container.resolve(Page.self).label == "child")
        #expect(container.resolve(Page.self, name: .fred).label == "container's fred")
    }

    @Test func `a factory that returns nil ends the search`() {
        child.register { Page("child") }
        container.register(Page.self) { nil }
        #expect(container.optional(Page.self) == nil)
    }

    @available(swift, deprecated: 5.0, message: "Tests a deprecated initializer.")
    @Test func `the deprecated parent is a child`() {
        child.register { Page("child") }
        #expect(Resolver(parent: child).resolve(Page.self).label == "child")
    }

    @Test func `a container releases its instances when its own cache is reset`() {
        container.register { Leaf() }.scope(.container)
        let first: Leaf = container.resolve()
        ResolverScope.container.reset()
        #expect(first === container.resolve(Leaf.self))
        container.cache.reset()
        #expect(first !== container.resolve(Leaf.self))
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

    @Test func `two containers have their own services`() {
        let other = Resolver()
        container.register { Page("container") }
        other.register { Page("other") }
        #expect(container.resolve(Page.self).label == "container")
        #expect(other.resolve(Page.self).label == "other")
    }
}
