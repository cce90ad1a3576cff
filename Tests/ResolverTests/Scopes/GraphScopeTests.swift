import Resolver
import Testing

@Suite struct GraphScopeTests {
    private protocol Fetching: AnyObject, Sendable {}
    private protocol Updating: AnyObject, Sendable {}
    private final class Combined: Fetching, Updating {}

    private final class ViewModel: Sendable {
        let fetcher: any Fetching, updater: any Updating
        init(_ fetcher: any Fetching, _ updater: any Updating) { (self.fetcher, self.updater) = (fetcher, updater) }
    }

    private final class Consumer {
        @Injected var fetcher: any Fetching
        @Injected var updater: any Updating
        init() {}
    }

    @Test(.ownResolver)
    func `a graph service behind two protocols is one object for parameters and for injected properties`() {
        let made = Box(0)
        Resolver.register { Consumer() }.scope(.unique)
        Resolver.register { ViewModel(Resolver.resolve(), Resolver.resolve()) }
        Resolver.register { Resolver.resolve(Combined.self) as any Fetching }
        Resolver.register { Resolver.resolve(Combined.self) as any Updating }.scope(.unique)
        Resolver.register { made.counting(Combined()) }
        let models = [Resolver.resolve(ViewModel.self), Resolver.resolve()]
        for model in models { expect(model.fetcher === model.updater, "one object for the parameters") }
        expect(models[0].fetcher !== models[1].fetcher, "another one in the next cycle")
        expect(made.value, is: 2, "made once for each, not \(made.value) times")
        let consumers = [Resolver.resolve(Consumer.self), Resolver.resolve()]
        for consumer in consumers { expect(consumer.fetcher === consumer.updater, "one for the properties") }
        expect(consumers[0].fetcher !== consumers[1].fetcher, "the cycle ended with its root")
        let own = Consumer()
        expect(own.fetcher !== own.updater, "without a root, each property is a cycle")
    }

    /// A service of one of four levels, of which each needs the next one twice.
    private final class Node: Sendable {
        let parts: [Node]
        init(_ parts: [Node]) { self.parts = parts }

        var leaves: [Node] { parts.isEmpty ? [self] : parts.flatMap(\.leaves) }
        var isOfOneCycle: Bool {
            let (left, right) = (parts[0], parts[1])
            return leaves.allSatisfy { $0 === leaves[0] } && left.parts[0] === left.parts[1]
                && left.parts[0] === right.parts[1]
        }
    }

    /// - Parameter body: runs while a leaf is made.
    private static func root(whileMaking body: @escaping @Sendable () -> Void) -> Resolver {
        let resolver = Resolver()
        func register(_ name: Resolver.Name?, _ parts: Resolver.Name...) -> ResolverOptions<Node> {
            resolver.register(name: name) { r in Node(parts.map { r.resolve(name: $0) }) }
        }
        resolver.register(name: "leaf") {
            body()
            return Node([])
        }
        for name in ["twig", "other twig"] as [Resolver.Name] { _ = register(name, "leaf") }
        _ = register("bough", "twig", "twig")
        _ = register("other bough", "other twig", "twig")
        register(nil, "bough", "other bough").scope(.unique)
        return resolver
    }

    /// All resolution cycles are open at once: each thread waits in its leaf's factory for the others.
    @Test func `overlapping resolution cycles of threads share no instance`() async {
        await #expect(processExitsWith: .success) {
            let made = Box(0), allAreInside = Rendezvous(32)
            let resolver = GraphScopeTests.root {
                made.increment()
                allAreInside.arriveAndWait()
            }
            let nodes = await Threads.results(32) { _ in resolver.resolve(Node.self) }
            Child.require(nodes.allSatisfy { $0.isOfOneCycle }, "each is consistent")
            Child.require(Set(nodes.map { ObjectIdentifier($0.leaves[0]) }).count == 32, "each has its own")
            Child.require(made.value == 32, "made \(made.value) times")
        }
    }
}
