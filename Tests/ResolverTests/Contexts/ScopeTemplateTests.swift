import Resolver
import Testing

/// What is registered for all scopes of a kind: by `scoped(to:)`, and where no scope is current.
@Suite struct ScopeTemplateTests {
    private static func isAlwaysTheSame(_ resolver: Resolver) -> Bool {
        resolver.resolve(Leaf.self) === resolver.resolve(Leaf.self)
    }

    private let kind = ScopeKind("template", rank: 10, binding: .execution)

    // MARK: Without a scope

    @Test func `without a scope each call makes an instance that nobody keeps`() {
        let made = Box(0), alive = Box(0), resolver = Resolver()
        resolver.register {
            made.increment()
            return Counted(alive)
        }.scoped(to: kind)
        for _ in 0..<5 {
            _ = resolver.resolve(Counted.self)
            #expect(alive.value == 0)
        }
        #expect(made.value == 5)
    }

    @Test func `without a scope two calls get two instances`() {
        let resolver = Resolver()
        resolver.register { Leaf() }.scoped(to: kind)
        let first: Leaf = resolver.resolve()
        #expect(resolver.resolve(Leaf.self) !== first)
    }

    @Test func `without a scope each instance is gone as soon as its holder drops it`() async throws {
        let made = Box(0), alive = Box(0), resolver = Resolver()
        resolver.register { Counted(alive) }.scoped(to: kind)
        resolver.register(name: "slow") {
            await Task.yield()
            made.increment()
            return Counted(alive)
        }.scoped(to: kind)
        var held = (0..<4).map { _ in resolver.resolve(Counted.self) }
        for _ in 0..<4 { held.append(try await resolver.resolveAsync(name: "slow")) }
        #expect(Set(held.map(ObjectIdentifier.init)).count == 8)
        #expect(made.value == 4)
        for left in (0..<8).reversed() {
            weak let dropped = held.removeLast()
            #expect(dropped == nil)
            #expect(alive.value == left)
        }
    }

    @Test func `each call without a scope is reported with type and kind`() {
        let kind = ScopeKind("template, reported", rank: 10, binding: .execution)
        let resolver = Resolver(), log = ScopeLog(kind)
        resolver.register { Leaf() }.scoped(to: kind)
        for _ in 0..<2 { _ = resolver.resolve(Leaf.self) }
        let report = ScopeEvent.resolvedWithoutScope(kind, service: "ResolverTests.Leaf")
        #expect(log.events == [report, report])
    }

    @Test func `registering for a scope that is not there is reported once`() {
        struct Service {}
        let kind = ScopeKind("template, too early", rank: 10, binding: .execution)
        let log = ScopeLog(kind)
        Resolver.registerScoped(Service.self, scope: kind) { Service() }
        #expect(log.events.count == 1)
        guard case .registeredWithoutScope(kind, let service)? = log.events.first else {
            Issue.record("\(log.events)")
            return
        }
        #expect(service.hasSuffix("Service"))
    }

    // MARK: With one

    @Test func `a thousand calls make one instance for each scope`() {
        let made = Box(0), resolver = Resolver()
        resolver.register { () -> Leaf in
            made.increment()
            return Leaf()
        }.scoped(to: kind)
        for scopes in 1...2 {
            Resolver.withScope(kind, id: "1") {
                for _ in 0..<1000 { _ = resolver.resolve(Leaf.self) }
            }
            #expect(made.value == scopes)
        }
    }

    @Test func `a scope that is set before registering keeps one instance`() {
        ScopeContext.shared.setCurrent(kind, id: "1")
        defer { ScopeContext.shared.clear(kind) }
        let resolver = Resolver()
        resolver.register { Leaf() }.scoped(to: kind)
        #expect(Self.isAlwaysTheSame(resolver))
    }

    @Test func `a scope that is set after registering keeps one instance`() {
        let resolver = Resolver()
        resolver.register { Leaf() }.scoped(to: kind)
        #expect(!Self.isAlwaysTheSame(resolver))
        ScopeContext.shared.setCurrent(kind, id: "1")
        defer { ScopeContext.shared.clear(kind) }
        #expect(Self.isAlwaysTheSame(resolver))
    }

    @Test func `what an app registers at its start is made once for each later scope`() {
        final class Service: Sendable {}
        Resolver.registerScoped(Service.self, scope: .request) { Service() }
        let services = ["1", "2"].map { id in
            Resolver.withScope(.request, id: id) { [Resolver.resolve(Service.self), Resolver.resolve(Service.self)] }
        }
        #expect(services[0][0] === services[0][1])
        #expect(services[1][0] === services[1][1])
        #expect(services[0][0] !== services[1][0])
    }

    @Test func `what is made asynchronously is made once for each later scope`() async throws {
        final class Service: Sendable {}
        await Resolver.registerAsyncScoped(Service.self, scope: .request) { Service() }
        var services: [Service] = []
        for id in ["1", "2"] {
            services += try await Resolver.withScope(.request, id: id) {
                [try await Resolver.resolveAsync(Service.self), try await Resolver.resolveAsync(Service.self)]
            }
        }
        #expect(services[0] === services[1])
        #expect(services[2] === services[3])
        #expect(services[0] !== services[2])
    }

    @Test func `what a resolver registers inside a scope outlives it`() {
        let resolver = Resolver()
        Resolver.withScope(.request, id: "1") {
            _ = resolver.register { Leaf() }.scoped(to: .request)
        }
        #expect(Resolver.withScope(.request, id: "2") { resolver.optional(Leaf.self) } != nil)
    }
}
