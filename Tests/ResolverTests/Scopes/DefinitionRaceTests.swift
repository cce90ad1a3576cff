import Resolver
import Testing

/// Singletons of resolvers that run the same `register` call, while the table of definitions is pruned.
@Suite struct DefinitionRaceTests {
    private final class Service: Sendable {}

    /// - Parameter isMade: whether the factory returns an instance, or nil.
    private static func resolver(_ name: Resolver.Name, isMade: Bool) -> Resolver {
        let resolver = Resolver()
        resolver.register(name: name) { isMade ? Service() : nil }.scope(.application)
        return resolver
    }

    /// One thread registers on resolvers that end at once, so definitions are pruned often. The other thread runs the
    /// same call on a resolver that ends, and then on two that must share an instance.
    @Test func `resolvers share a singleton while other definitions are pruned`() {
        let isDone = Box(false), differences = Box(0)
        Threads.run(
            {
                var number = 0
                while !isDone.value {
                    number += 1
                    let name = Resolver.Name("passing \(number)")
                    _ = Self.resolver(name, isMade: false).optional(Service.self, name: name)
                }
            },
            {
                for _ in 0..<Sanitizer.rounds(15_000) {
                    _ = Self.resolver("lasting", isMade: false).optional(Service.self, name: "lasting")
                    let left = Self.resolver("lasting", isMade: true), right = Self.resolver("lasting", isMade: true)
                    let singleton = left.resolve(Service.self, name: "lasting")
                    if right.resolve(Service.self, name: "lasting") !== singleton { differences.increment() }
                    left.reset(scope: .application)
                }
                isDone.set(true)
            })
        #expect(differences.value == 0)
    }
}
