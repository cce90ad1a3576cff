import Resolver
import Testing

/// The resets that wait: when they return, every hook has run, one after the other, the youngest first.
@Suite struct AwaitedEndTests {
    /// Says when each of its hooks has run; those of odd numbers have to be awaited.
    private final class Connection: Sendable {
        let number: Int
        init(_ number: Int) { self.number = number }
    }

    private let closed = Box<[Int]>([])

    private func register(on resolver: Resolver, _ scope: (ResolverOptions<Connection>) -> Void) {
        for number in 0..<4 {
            let options = resolver.register(name: .init("\(number)")) { Connection(number) }
            scope(options)
            if number % 2 == 0 {
                options.onRelease { [closed] connection in closed.append(connection.number) }
            } else {
                options.onRelease { [closed] connection in
                    for _ in 0..<10 { await Task.yield() }
                    closed.append(connection.number)
                }
            }
        }
    }

    private func use(_ resolver: Resolver) {
        for number in 0..<4 { _ = resolver.resolve(Connection.self, name: .init("\(number)")) }
    }

    @Test(arguments: [Resolver.ResetOptions.scopes, .registrations, .all])
    func `a reset of a container is awaited`(_ options: Resolver.ResetOptions) async {
        let resolver = Resolver()
        register(on: resolver) { $0.scope(.cached) }
        use(resolver)
        await resolver.resetAndWait(options)
        #expect(closed.value == [3, 2, 1, 0])
        #expect((resolver.optional(Connection.self, name: "0") == nil) == options.contains(.registrations))
    }

    @Test(arguments: [false, true])
    func `a reset of one scope is awaited and calls what a subclass has overridden`(_ isOfContainer: Bool) async {
        final class Told: ResolverScopeCache, @unchecked Sendable {
            let resets = Box(0)
            override func reset() {
                resets.increment()
                super.reset()
            }
        }
        let resolver = Resolver(), cache = Told()
        register(on: resolver) { $0.scope(cache) }
        use(resolver)
        await resolver.resetAndWait(scope: .cached)
        #expect(closed.value == [])
        if isOfContainer { await resolver.resetAndWait(scope: cache) } else { await cache.resetAndWait() }
        #expect(closed.value == [3, 2, 1, 0])
        #expect(isOfContainer || cache.resets.value == 1)
    }

    @Test func `resetAndWait of all waits for asynchronous hooks`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let closed = Box(0)
            Resolver.main = Resolver()
            for (name, scope) in zip(
                ["1", "2", "3"], [ResolverScope.application, .cached, .container] as [ResolverScope])
            {
                Resolver.register(name: .init(name)) { Leaf() }.scope(scope).onRelease { _ in
                    // Longer than code that does not wait takes to look.
                    for _ in 0..<10_000 { await Task.yield() }
                    closed.increment()
                }
                _ = Resolver.main.resolve(Leaf.self, name: .init(name))
            }
            await Resolver.resetAndWait()
            Child.require(closed.value == 3, "\(closed.value)")
        }
    }
}
