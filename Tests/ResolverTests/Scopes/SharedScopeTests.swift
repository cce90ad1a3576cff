import Resolver
import Testing

/// Objects that live as long as a reference to them exists.
@Suite struct SharedScopeTests {
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
        resolver.register(Service.self) { made.counting(make()) }.scope(.shared)
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
