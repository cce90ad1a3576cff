import Resolver
import Testing

@Suite struct GraphScopeTests {
    private final class Consumer {
        @Injected var first: any Role
        @Injected var second: any SecondRole
        init() {}
    }

    @Test(.ownResolver)
    func `a graph service behind two protocols is one object for parameters and for injected properties`() {
        let made = Box(0)
        Resolver.register { Consumer() }.scope(.unique)
        Resolver.register {
            [Resolver.resolve((any Role).self), Resolver.resolve((any SecondRole).self)] as [AnyObject]
        }
        Resolver.register { Resolver.resolve(Player.self) as any Role }
        Resolver.register { Resolver.resolve(Player.self) as any SecondRole }.scope(.unique)
        Resolver.register { made.counting(Player()) }
        let models = [Resolver.resolve([AnyObject].self), Resolver.resolve()]
        for model in models { expect(model[0] === model[1], "one object for the parameters") }
        expect(models[0][0] !== models[1][0], "another one in the next cycle")
        expect(made.value, is: 2, "made once for each, not \(made.value) times")
        let consumers = [Resolver.resolve(Consumer.self), Resolver.resolve()]
        for consumer in consumers { expect(consumer.first === consumer.second, "one for the properties") }
        expect(consumers[0].first !== consumers[1].first, "the cycle ended with its root")
        let own = Consumer()
        expect(own.first !== own.second, "without a root, each property is a cycle")
    }

    /// All resolution cycles are open at once: each thread waits in its leaf's factory for the others.
    @Test func `overlapping resolution cycles of threads share no instance`() async {
        await #expect(processExitsWith: .success) {
            let resolver = Resolver(), allAreInside = Rendezvous(32), made = Box(0)
            resolver.register { Leaf(after: made.increment(), allAreInside.arriveAndWait()) }
            resolver.register(name: "twig") { r in [r.resolve(Leaf.self)] }
            resolver.register(name: "bough") { r in r.resolve([Leaf].self, name: "twig") + [r.resolve()] }
            resolver.register { r in r.resolve([Leaf].self, name: "bough") + r.resolve([Leaf].self, name: "twig") }
            let found = await Threads.results(32) { _ in resolver.resolve([Leaf].self) }
            Child.require(found.allSatisfy { leaves in leaves.allSatisfy { $0 === leaves[0] } }, "each has one leaf")
            Child.require(Set(found.map { ObjectIdentifier($0[0]) }).count == 32, "each has its own")
            Child.require(made.value == 32, "made \(made.value) times")
        }
    }
}
