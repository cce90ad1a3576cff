import Resolver
import Testing

/// A custom scope as an app would write it: see `LastUsedScope`.
@Suite struct LastUsedScopeTests {
    private let scope = LastUsedScope(3), resolver = Resolver()

    private func register(_ names: Resolver.Name...) {
        for name in names { resolver.register(name: name) { Leaf() }.scope(scope) }
    }

    private func leaf(_ name: Resolver.Name) -> Leaf { resolver.resolve(name: name) }

    /// Returns the names with a cached instance. `existing` is not a use.
    private func kept(_ names: Resolver.Name...) -> [Resolver.Name] {
        names.filter { resolver.existing(Leaf.self, name: $0) != nil }
    }

    @Test(arguments: [false, true])
    func `a fourth service evicts the least recently used one`(_ isAsync: Bool) async throws {
        let made = Box(0)
        for name in ["a", "b", "c", "d", "e"] as [Resolver.Name] {
            resolver.register(name: name, isAsync: isAsync) { _ in made.counting(Leaf()) }.scope(scope)
        }
        func leaf(_ name: Resolver.Name) async throws -> Leaf { try await resolver.resolveAsync(name: name) }
        let a = try await leaf("a"), b = try await leaf("b"), c = try await leaf("c")
        try await expect(leaf("a") === a)
        let d = try await leaf("d")
        expect(kept("a", "b", "c", "d", "e"), is: ["a", "c", "d"])
        _ = try await leaf("e")
        expect(kept("a", "b", "c", "d", "e"), is: ["a", "d", "e"])
        try await expect(leaf("a") === a)
        try await expect(leaf("d") === d)
        expect(made.value, is: 5)
        try await expect(leaf("b") !== b)
        try await expect(leaf("c") !== c)
    }

    @Test func `an evicted instance is released and its hook runs before the call returns`() {
        let alive = Box(0), released = Box<[Int]>([])
        for number in 1...4 {
            resolver.register(name: .init("\(number)")) { (number, Counted(alive)) }.onRelease { released.append($0.0) }
                .scope(scope)
        }
        for number in 1...3 { _ = resolver.resolve((Int, Counted).self, name: .init("\(number)")) }
        expect(alive.value, is: 3)
        expect(released.value, is: [])
        _ = resolver.resolve((Int, Counted).self, name: "4")
        expect(alive.value, is: 3)
        expect(released.value, is: [1])
        scope.reset()
        expect(alive.value, is: 0)
        expect(released.value, is: [1, 4, 3, 2])
    }

    @Test func `released resolvers, failed creations and replaced registrations do not count toward the limit`() {
        register("a", "b", "c")
        let a = leaf("a")
        for _ in 0..<5 {
            let other = Resolver()
            for name in ["x", "y"] as [Resolver.Name] {
                other.register(name: name) { Leaf() }.scope(scope)
                _ = other.resolve(Leaf.self, name: name)
            }
        }
        expect(leaf("a") === a)
        let b = leaf("b"), c = leaf("c")
        resolver.register(name: "nothing") { () -> Leaf? in nil }.scope(scope)
        resolver.register(name: "broken") { () throws -> Leaf in throw Failure() }.scope(scope)
        expect(resolver.failure(Leaf.self, name: "nothing")?.code, is: .factoryReturnedNil)
        expect(resolver.failure(Leaf.self, name: "broken")?.code, is: .factoryFailed)
        expect(leaf("a") === a)
        for _ in 0..<5 {
            register("c")
            expect(leaf("c") !== c)
        }
        expect(leaf("a") === a)
        expect(leaf("b") === b)
    }

    @Test func `three instances remain after threads resolve eight services`() async {
        await #expect(processExitsWith: .success) {
            let scope = LastUsedScope(3), resolver = Resolver(), alive = Box(0)
            let names = (0..<8).map { Resolver.Name("\($0)") }
            for name in names { resolver.register(name: name) { Counted(alive) }.scope(scope) }
            Threads.run(8) { thread in
                for round in 0..<2000 {
                    let counted: Counted = resolver.resolve(name: names[(thread * 3 + round * (thread + 1)) % 8])
                    Child.require(counted.alive === alive, "it is intact")
                }
            }
            for name in names.prefix(3) { _ = resolver.resolve(Counted.self, name: name) }
            withExtendedLifetime(resolver) { Child.require(alive.value == 3, "\(alive.value) are kept") }
        }
    }
}
