import Resolver
import Testing

@Suite struct LifetimeTests {
    @Test func `a hundred instances of one resolution cycle are all shared`() {
        let resolver = Resolver()
        for index in 0..<100 { resolver.register(name: .init("\(index)")) { Leaf() } }
        resolver.register { r -> [ObjectIdentifier] in
            (0..<200).map { ObjectIdentifier(r.resolve(Leaf.self, name: .init("\($0 % 100)"))) }
        }
        let all: [ObjectIdentifier] = resolver.resolve()
        expect(Array(all[..<100]), is: Array(all[100...]))
        expect(Set(all).count, is: 100)
    }

    private final class ClassError: Error {}
    private struct StructError: Error {}
    private actor Clerk {}
    private protocol ForClasses: AnyObject {}
    private protocol ForAll {}
    private protocol WithElement<Element> { associatedtype Element }
    private final class Thing: ForClasses, ForAll, WithElement { typealias Element = Int }
    private struct Value: ForAll, WithElement { typealias Element = Int }

    /// Returns whether two calls in one resolution cycle return one instance of this type, which the cycle holds.
    private func isShared<Service>(_ scope: ResolverScope, _ make: @escaping @Sendable () -> Service) -> Bool {
        let resolver = Resolver(), made = Box(0)
        resolver.register(Service.self) { made.counting(make()) }.scope(scope)
        resolver.register { r in Leaf(after: (r.resolve(Service.self), r.resolve(Service.self))) }
        _ = resolver.resolve(Leaf.self)
        return made.value == 1
    }

    @Test(arguments: [ResolverScope.graph, .shared])
    func `the graph and shared scopes share objects of any static type and no values`(_ scope: ResolverScope) {
        expect(isShared(scope) { Thing() })
        expect(isShared(scope) { Thing() as any ForClasses })
        expect(isShared(scope) { Thing() as any ForAll })
        expect(isShared(scope) { Thing() as any ForAll & ForClasses })
        expect(isShared(scope) { Thing() as any WithElement<Int> })
        expect(isShared(scope) { Thing() as AnyObject })
        expect(isShared(scope) { Clerk() })
        expect(isShared(scope) { Thing() as Any })
        let isGraph = scope === ResolverScope.graph
        expect(isShared(scope) { ClassError() as any Error }, is: isGraph, "to the shared scope an error is a value")
        expect(!isShared(scope) { Value() })
        expect(!isShared(scope) { Value() as Value? })
        expect(!isShared(scope) { Value() as any ForAll })
        expect(!isShared(scope) { Value() as any WithElement<Int> })
        expect(!isShared(scope) { Value() as Any })
        expect(!isShared(scope) { StructError() as any Error })
        expect(!isShared(scope) { [Thing()] })
        expect(!isShared(scope) { (Thing(), 1, 2, 3, 4, 5, 6) })
        expect(!isShared(scope) { { 1 } as @Sendable () -> Int })
        expect(!isShared(scope) { Thing.self as AnyClass })
    }

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

    /// Each round is one race: one thread releases the last reference while the other thread resolves.
    @Test func `a call concurrent with the last release gets the only live object`() async {
        await #expect(processExitsWith: .success) {
            let rounds = 20_000, alive = Box(0), held = Box<Counted?>(nil), resolver = Resolver(), meeting = Barrier(2)
            resolver.register { Counted(alive) }.scope(.shared)
            Threads.run {
                for _ in 0..<rounds {
                    held.set(resolver.resolve(Counted.self))
                    meeting.arriveAndWait()
                    held.set(nil)
                    for _ in 0..<2 { meeting.arriveAndWait() }
                }
            } beside: {
                for round in 0..<rounds {
                    meeting.arriveAndWait()
                    let found: Counted = resolver.resolve()
                    meeting.arriveAndWait()
                    Child.require(found.alive === alive, "round \(round): it is intact")
                    Child.require(alive.value == 1, "round \(round): \(alive.value) are alive")
                    Child.require(resolver.resolve(Counted.self) === found, "round \(round): it is shared")
                    meeting.arriveAndWait()
                }
            }
            Child.require(alive.value == 0, "no reference exists")
        }
    }
}
