import Resolver
import Testing

/// Objects shared within one resolution cycle.
@Suite struct GraphScopeTests {
    // MARK: One class behind two protocols

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

    @Test func `a graph service behind two protocols is one object for parameters and for injected properties`() async {
        await #expect(processExitsWith: .success) {
            let made = Box(0)
            Resolver.register { Consumer() }.scope(.unique)
            Resolver.register { ViewModel(Resolver.resolve(), Resolver.resolve()) }
            Resolver.register { Resolver.resolve(Combined.self) as any Fetching }
            Resolver.register { Resolver.resolve(Combined.self) as any Updating }.scope(.unique)
            Resolver.register { made.counting(Combined()) }
            let models = [Resolver.resolve(ViewModel.self), Resolver.resolve()]
            for model in models { Child.require(model.fetcher === model.updater, "one object for the parameters") }
            Child.require(models[0].fetcher !== models[1].fetcher, "another one in the next cycle")
            Child.require(made.value == 2, "made once for each, not \(made.value) times")
            let consumers = [Resolver.resolve(Consumer.self), Resolver.resolve()]
            for consumer in consumers { Child.require(consumer.fetcher === consumer.updater, "one for the properties") }
            Child.require(consumers[0].fetcher !== consumers[1].fetcher, "the cycle ended with its root")
            let own = Consumer()
            Child.require(own.fetcher !== own.updater, "without a root, each property is a cycle")
        }
    }

    // MARK: Several levels

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

    private let made = Box(0)

    /// - Parameter body: runs while a leaf is made.
    private func root(whileMaking body: @escaping @Sendable () -> Void = {}) -> Resolver {
        let resolver = Resolver()
        func register(_ name: Resolver.Name?, _ parts: Resolver.Name...) -> ResolverOptions<Node> {
            resolver.register(name: name) { r in Node(parts.map { r.resolve(name: $0) }) }
        }
        resolver.register(name: "leaf") { [made] in
            made.increment()
            body()
            return Node([])
        }
        for name in ["twig", "other twig"] as [Resolver.Name] { _ = register(name, "leaf") }
        _ = register("bough", "twig", "twig")
        _ = register("other bough", "other twig", "twig")
        register(nil, "bough", "other bough").scope(.unique)
        return resolver
    }

    @Test func `a resolution cycle covers all levels and ends with its root`() {
        let resolver = root(), first: Node = resolver.resolve()
        #expect(first.isOfOneCycle)
        #expect(first.leaves.count == 4)
        #expect(made.value == 1)
        let next: Node = resolver.resolve()
        #expect(next.isOfOneCycle)
        #expect(next.leaves[0] !== first.leaves[0])
        #expect(made.value == 2)
    }

    @Test func `the resolution cycles of thirty two tasks share no instance`() async {
        let resolver = root()
        let nodes = await withTaskGroup(of: Node.self) { group in
            for _ in 0..<32 { group.addTask { resolver.resolve() } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(nodes.allSatisfy { $0.isOfOneCycle })
        #expect(Set(nodes.map { ObjectIdentifier($0.leaves[0]) }).count == 32)
        #expect(made.value == 32)
    }

    /// All resolution cycles are open at once: each thread waits in its leaf's factory for the others.
    @Test func `overlapping resolution cycles of threads share no instance`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let tests = GraphScopeTests(), allAreInside = Rendezvous(32), nodes = Box<[Node]>([])
            let resolver = tests.root { allAreInside.arriveAndWait() }
            Threads.run(32) { _ in nodes.append(resolver.resolve()) }
            Child.require(nodes.value.allSatisfy { $0.isOfOneCycle }, "each is consistent")
            Child.require(Set(nodes.value.map { ObjectIdentifier($0.leaves[0]) }).count == 32, "each has its own")
            Child.require(tests.made.value == 32, "made \(tests.made.value) times")
        }
    }
}
