import Resolver
import Testing

/// Objects that live as long as a reference to them exists.
@Suite struct SharedScopeTests {
    private protocol MyServiceType: AnyObject, Sendable {}
    private final class MyService: MyServiceType {
        let counted: Counted
        init(_ alive: Box<Int>) { counted = Counted(alive) }
    }

    @Test func `a shared object ends with its last reference and the next call creates another`() {
        let alive = Box(0), made = Box(0)
        let resolver = Resolver()
        resolver.register { () -> MyServiceType in
            made.increment()
            return MyService(alive)
        }
        .scope(.shared)
        var a: MyServiceType? = resolver.optional()
        var b: MyServiceType? = resolver.optional()
        #expect(a === b)
        a = nil
        #expect(alive.value == 1)
        b = nil
        #expect(alive.value == 0)
        let c: MyServiceType? = resolver.optional()
        #expect(made.value == 2)
        #expect(alive.value == 1)
        #expect(c === resolver.resolve(MyServiceType.self))
    }

    private final class MyViewModel: Sendable {}

    private final class ViewController {
        let model: MyViewModel
        init(_ resolver: Resolver) { model = resolver.resolve() }
    }

    @Test func `two view controllers share a model until both are released`() {
        let resolver = Resolver()
        resolver.register { MyViewModel() }
            .scope(.shared)
        var master: ViewController? = ViewController(resolver)
        var detail: ViewController? = ViewController(resolver)
        weak let model = master?.model
        #expect(model != nil)
        #expect(detail?.model === model)
        master = nil
        #expect(ViewController(resolver).model === model)
        #expect(detail?.model === model)
        detail = nil
        #expect(model == nil)
        #expect(resolver.existing(MyViewModel.self) == nil)
    }

    private struct Reading: Sendable {}
    private enum Level: Sendable { case low }

    @Test func `values are never shared`() {
        #expect(SharedScopeTests.made { Reading() } == 2)
        #expect(SharedScopeTests.made { Level.low } == 2)
        #expect(SharedScopeTests.made { [Leaf()] } == 2)
        #expect(SharedScopeTests.made { (Leaf(), Leaf()) } == 2)
        #expect(SharedScopeTests.made { Reading() as Reading? } == 2)
        #expect(SharedScopeTests.made { Reading() as any Sendable } == 2)
        #expect(SharedScopeTests.made { Leaf() } == 1)
    }

    /// Returns the number of factory runs for two calls, while the first result is retained.
    private static func made<Service>(_ make: @escaping @Sendable () -> Service) -> Int {
        let made = Box(0)
        let resolver = Resolver()
        resolver.register(Service.self) {
            made.increment()
            return make()
        }
        .scope(.shared)
        let first: Service = resolver.resolve(), second: Service = resolver.resolve()
        withExtendedLifetime((first, second)) {}
        return made.value
    }

    @Test func `threads that resolve a value in the shared scope each get their own`() {
        let made = Box(0)
        let resolver = Resolver()
        resolver.register { made.increment() }.scope(.shared)
        let got = Box<Set<Int>>([])
        Threads.run(8) { _ in
            let value: Int = resolver.resolve()
            _ = got.update { $0.insert(value) }
        }
        #expect(got.value == Set(1...8))
    }

    /// Each round is one race: one thread releases the last reference while the other thread resolves.
    @Test func `a call concurrent with the last release gets the only live object`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let rounds = 20_000
            let alive = Box(0)
            let resolver = Resolver()
            resolver.register { Counted(alive) }.scope(.shared)
            let held = Box<Counted?>(nil)
            let meeting = (0..<3 * rounds).map { _ in Rendezvous(2) }
            Threads.run(
                {
                    for round in 0..<rounds {
                        held.set(resolver.resolve(Counted.self))
                        meeting[3 * round].arriveAndWait()
                        held.set(nil)
                        meeting[3 * round + 1].arriveAndWait()
                        meeting[3 * round + 2].arriveAndWait()
                    }
                },
                {
                    for round in 0..<rounds {
                        meeting[3 * round].arriveAndWait()
                        let found: Counted = resolver.resolve()
                        meeting[3 * round + 1].arriveAndWait()
                        Child.require(found.alive === alive, "round \(round): it is intact")
                        Child.require(alive.value == 1, "round \(round): \(alive.value) are alive")
                        Child.require(resolver.resolve(Counted.self) === found, "round \(round): it is shared")
                        meeting[3 * round + 2].arriveAndWait()
                    }
                })
            Child.require(alive.value == 0, "no reference exists")
        }
    }

    @Test func `a reset of the shared scope forgets objects that are still referenced`() async {
        await #expect(processExitsWith: .success) {
            let resolver = Resolver()
            resolver.register { Leaf() }.scope(.shared)
            let held: Leaf = resolver.resolve()
            ResolverScope.shared.reset()
            Child.require(resolver.existing(Leaf.self) == nil, "it is forgotten")
            Child.require(resolver.resolve(Leaf.self) !== held, "the next is another")
        }
    }

    @Test func `an error object in the shared scope is created on each call`() {
        final class Broken: Error {}
        let resolver = Resolver()
        resolver.register { Broken() as any Error }.scope(.shared)
        let first: any Error = resolver.resolve(), second: any Error = resolver.resolve()
        #expect(first as? Broken !== second as? Broken)
    }
}
