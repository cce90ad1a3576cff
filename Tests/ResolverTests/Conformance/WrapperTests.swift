import Resolver
import Testing

/// Property wrappers with concurrency, copies and dependency cycles. The client targets test the rest.
@Suite struct WrapperTests {
    final class Holder<Service>: @unchecked Sendable {
        @LazyInjected var service: Service
        init(_ resolver: Resolver) { $service.container = resolver }
    }

    @Test func `a lazy property resolves once when sixteen threads read it`() {
        for _ in 0..<50 {
            let resolver = Resolver(), made = Box(0), got = Box<[Leaf]>([])
            resolver.register { made.counting(Leaf()) }.scope(.unique)
            let holder = Holder<Leaf>(resolver)
            Threads.run(16) { _ in got.append(holder.service) }
            expect(made.value, is: 1)
            expect(Set(got.value.map(ObjectIdentifier.init)).count, is: 1)
        }
    }

    final class Node: @unchecked Sendable {
        @LazyInjected var next: Node
        init(_ resolver: Resolver?) { if let resolver { $next.container = resolver } }
    }

    final class WeakNode: @unchecked Sendable {
        @WeakLazyInjected var next: WeakNode?
        init(_ resolver: Resolver?) { $next.container = resolver }
    }

    @Test(arguments: [false, true])
    func `a factory that reads the lazy property it is created for is a dependency cycle`(_ isWeak: Bool) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [isWeak] in
            let resolver = Resolver(), node = Node(resolver), weakNode = WeakNode(resolver)
            resolver.register { () -> Node in
                _ = node.next
                return Node(nil)
            }
            resolver.register { () -> WeakNode in
                _ = weakNode.next
                return WeakNode(nil)
            }
            if isWeak { _ = weakNode.next } else { _ = node.next }
        }
        let text = try result.errorText
        expect(text.contains("circular dependency"))
        expect(text.contains("lazy property of type ResolverTests.WrapperTests.\(isWeak ? "WeakNode" : "Node")"))
    }

    @Test func `two lazy properties that wait for each other on two threads are a dependency cycle`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let resolver = Resolver(), bothInside = Rendezvous(2)
            let first = Holder<Leaf>(resolver), second = Holder<OtherLeaf>(resolver)
            resolver.register { Leaf(after: bothInside.arriveAndWait(), second.service) }
            resolver.register { OtherLeaf(after: bothInside.arriveAndWait(), first.service) }
            Threads.run({ _ = first.service }, { _ = second.service })
        }
        try expect(result.errorText.contains("circular dependency"))
    }

    struct Page {
        @LazyInjected var leaf: Leaf
        init(_ resolver: Resolver) { $leaf.container = resolver }
    }

    @Test func `assignments, releases and names of a copy do not affect the original`() {
        let resolver = Resolver()
        resolver.register { Leaf() }
        resolver.register(name: "a") { Leaf() }.scope(.cached)
        resolver.register(name: "b") { Leaf() }.scope(.cached)
        var original = Page(resolver)
        original.$leaf.name = "a"
        var copy = original
        copy.$leaf.name = "b"
        let first = original.leaf
        expect(first === resolver.resolve(Leaf.self, name: "a"))
        expect(copy.leaf === resolver.resolve(Leaf.self, name: "b"))
        copy.leaf = Leaf()
        expect(original.leaf === first && copy.leaf !== first)
        copy.$leaf.release()
        expect(copy.$leaf.isEmpty)
        expect(original.leaf === first && copy.leaf !== first)
        copy = original
        expect(copy.leaf === first)
        copy.leaf = Leaf()
        expect(original.leaf === first)
        copy = original
        copy.$leaf.release()
        expect(copy.$leaf.isEmpty && original.leaf === first)
    }

    @Test func `a weak property of any object is nil after the object has ended`() {
        let resolver = Resolver()
        resolver.register(AnyObject.self) { Player() }.scope(.unique)
        let property = WeakLazyInjected<AnyObject>(container: resolver)
        var first = property.wrappedValue
        expect(first is Player)
        first = nil
        expect(property.wrappedValue, is: nil)
    }
}
