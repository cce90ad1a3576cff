import Resolver
import Testing

/// The forms that wait: when they return, every hook has run, one after the other, the youngest first.
@Suite struct AwaitedEndTests {
    /// Says when each of its hooks has run; those of odd numbers have to be awaited.
    private final class Connection: Sendable {
        let number: Int
        init(_ number: Int) { self.number = number }
    }

    private let closed = Box<[Int]>([])

    private func register(_ count: Int = 4, on resolver: Resolver, _ scope: (ResolverOptions<Connection>) -> Void) {
        for number in 0..<count {
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

    private func kind(_ name: String) -> ScopeKind { ScopeKind("awaited \(name)", rank: 10, binding: .process) }

    @Test(arguments: ["handle", "clear", "clear id", "end id", "cascade"])
    func `the end of a scope is awaited`(_ form: String) async {
        let resolver = Resolver(), kind = kind(form), context = ScopeContext.shared
        register(on: resolver) { $0.scoped(to: kind) }
        let outer = ScopeKind("awaited outer \(form)", rank: 20, binding: .process)
        context.setCurrent(outer, id: "outer")
        let handle = context.setCurrent(kind, id: "it")
        handle.run { use(resolver) }
        switch form {
        case "handle": await handle.endAndWait()
        case "clear": await context.clearAndWait(kind)
        case "clear id":
            await context.clearAndWait(kind, id: "another")
            #expect(handle.isOpen)
            await context.clearAndWait(kind, id: "it")
        case "end id": await context.endAndWait(kind, id: "it")
        default: await context.clearAndWait(outer, cascade: true)
        }
        #expect(closed.value == [3, 2, 1, 0])
        #expect(!handle.isOpen)
        #expect(context.current(kind) == nil)
        context.clear(outer)
    }

    @Test func `the end of all scopes is awaited`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let closed = Box(0), resolver = Resolver()
            resolver.register { Leaf() }.scoped(to: .session).onRelease { _ in
                for _ in 0..<10 { await Task.yield() }
                closed.increment()
            }
            let handles = ["a", "b"].map { ScopeContext.shared.open(.session, id: $0) }
            for handle in handles { handle.run { _ = resolver.resolve(Leaf.self) } }
            await ScopeContext.shared.clearAllAndWait()
            Child.require(closed.value == 2 && !handles.contains(where: \.isOpen), "both are closed")
        }
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

    @Test func `a reset of one scope of a container is awaited`() async {
        let resolver = Resolver(), cache = ResolverScopeCache()
        register(on: resolver) { $0.scope(cache) }
        use(resolver)
        await resolver.resetAndWait(scope: .cached)
        #expect(closed.value == [])
        await resolver.resetAndWait(scope: cache)
        #expect(closed.value == [3, 2, 1, 0])
    }

    @Test func `a reset of a scope is awaited and calls what a subclass has overridden`() async {
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
        await cache.resetAndWait()
        #expect(closed.value == [3, 2, 1, 0])
        #expect(cache.resets.value == 1)
    }

    @Test func `starting over is awaited`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let closed = Box<[String]>([])
            Resolver.main = Resolver()
            for scope in [ResolverScope.application, .cached, .container] as [ResolverScope] {
                Resolver.register(name: .init("\(type(of: scope)) \(ObjectIdentifier(scope))")) { Leaf() }.scope(scope)
                    .onRelease { _ in
                        // Longer than whoever does not wait takes to look.
                        for _ in 0..<10_000 { await Task.yield() }
                        closed.append("closed")
                    }
                let name = Resolver.Name("\(type(of: scope)) \(ObjectIdentifier(scope))")
                _ = Resolver.main.resolve(Leaf.self, name: name)
            }
            await Resolver.resetAndWait()
            Child.require(closed.value.count == 3, "\(closed.value)")
        }
    }

    /// Also in a task that has been cancelled.
    @Test func `a cancelled task waits too`() async {
        let resolver = Resolver(), kind = kind("cancelled")
        register(on: resolver) { $0.scoped(to: kind) }
        let handle = ScopeContext.shared.open(kind, id: "it")
        handle.run { use(resolver) }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await handle.endAndWait()
            return closed.value
        }
        #expect(await task.value == [3, 2, 1, 0])
    }
}
