import Resolver
import Testing

/// Objects that live as long as a reference to them exists.
@Suite struct SharedScopeTests {
    @Test func `two callers share an object until both release it and the next call creates another`() {
        let resolver = Resolver(), alive = Box(0), made = Box(0)
        resolver.register { made.counting(Counted(alive)) }.scope(.shared)
        var first = resolver.optional(Counted.self), second = resolver.optional(Counted.self)
        #expect(first === second)
        first = nil
        #expect(resolver.resolve(Counted.self) === second)
        #expect(alive.value == 1)
        second = nil
        #expect(alive.value == 0)
        #expect(resolver.existing(Counted.self) == nil)
        let next: Counted = resolver.resolve()
        #expect(made.value == 2)
        #expect(next === resolver.resolve(Counted.self))
    }

    private struct Reading: Sendable {}
    private enum Level: Sendable { case low }
    private final class Broken: Error {}

    @Test func `values are never shared`() {
        #expect(Self.made { Reading() } == 2)
        #expect(Self.made { Level.low } == 2)
        #expect(Self.made { [Leaf()] } == 2)
        #expect(Self.made { (Leaf(), Leaf()) } == 2)
        #expect(Self.made { Reading() as Reading? } == 2)
        #expect(Self.made { Reading() as any Sendable } == 2)
        #expect(Self.made { Broken() as any Error } == 2, "an error is a value, whatever its type is")
        #expect(Self.made { Leaf() } == 1)
    }

    /// Returns the number of factory runs for two calls, while the first result is retained.
    private static func made<Service>(_ make: @escaping @Sendable () -> Service) -> Int {
        let made = Box(0), resolver = Resolver()
        resolver.register(Service.self) {
            made.increment()
            return make()
        }.scope(.shared)
        let first: Service = resolver.resolve(), second: Service = resolver.resolve()
        withExtendedLifetime((first, second)) {}
        return made.value
    }

    @Test func `threads that resolve a value in the shared scope each get their own`() async {
        let made = Box(0), resolver = Resolver()
        resolver.register { made.increment() }.scope(.shared)
        let got = await Threads.results(8) { _ in resolver.resolve(Int.self) }
        #expect(got.sorted() == Array(1...8))
    }

    /// Each round is one race: one thread releases the last reference while the other thread resolves.
    @Test func `a call concurrent with the last release gets the only live object`() async {
        await #expect(processExitsWith: .success) {
            let rounds = 20_000
            let alive = Box(0), resolver = Resolver()
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
}
