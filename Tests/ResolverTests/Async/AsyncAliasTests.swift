import Resolver
import Testing

/// `.implements` of asynchronous services.
@Suite struct AsyncAliasTests {
    private func resolver(_ scope: ResolverScope, _ runs: Box<Int> = Box(0)) -> Resolver {
        let resolver = Resolver()
        resolver.register(name: "real") { () -> Player in
            await Task.yield()
            runs.increment()
            return Player()
        }
        .implements((any Role).self)
        .implements((any SecondRole).self, name: "second")
        .scope(scope)
        return resolver
    }

    @Test(arguments: [ResolverScopeCache(), ResolverScope.container, ResolverScopeShare()])
    func `a cached instance is returned under all its types, asynchronously and synchronously`(_ scope: ResolverScope)
        async throws
    {
        let runs = Box(0)
        let resolver = resolver(scope, runs)
        let error = try #require(throws: ResolutionError.self) { try resolver.tryResolve((any Role).self) }
        #expect(error.code == .requiresAsync)
        let role = try await resolver.resolveAsync((any Role).self)
        #expect(resolver.existing((any SecondRole).self, name: "second") === role)
        #expect(resolver.resolve((any SecondRole).self, name: "second") === role)
        #expect(resolver.resolve((any Role).self) === role)
        #expect(resolver.resolve(Player.self, name: "real") === role)
        #expect(try await resolver.resolveAsync((any SecondRole).self, name: "second") === role)
        #expect(try await resolver.optionalAsync(Player.self, name: "real") === role)
        #expect(runs.value == 1)
        resolver.register(name: "real") { Player() }
        #expect(resolver.resolve((any Role).self) !== role)
    }

    @Test func `tasks that resolve different types of one service share one creation task`() async throws {
        let runs = Box(0)
        let resolver = resolver(ResolverScopeCache(), runs)
        async let first = resolver.resolveAsync((any Role).self)
        async let second = resolver.resolveAsync((any SecondRole).self, name: "second")
        async let third = resolver.resolveAsync(Player.self, name: "real")
        let player = try await third
        #expect(try await first === player)
        #expect(try await second === player)
        #expect(runs.value == 1)
    }

    @Test func `each call creates its own instance of a unique service`() async throws {
        let runs = Box(0)
        let resolver = resolver(.unique, runs)
        let first = try await resolver.resolveAsync((any Role).self)
        let second = try await resolver.resolveAsync((any Role).self)
        #expect(first !== second)
        #expect(runs.value == 2)
        #expect(throws: ResolutionError.self) { try resolver.tryResolve((any Role).self) }
    }

    @Test func `a graph service is one object under all its types within one call`() async throws {
        let runs = Box(0)
        let resolver = resolver(.graph, runs)
        resolver.register { r -> [ObjectIdentifier] in
            [
                ObjectIdentifier(try await r.resolveAsync((any Role).self)),
                ObjectIdentifier(try await r.resolveAsync((any SecondRole).self, name: "second")),
                ObjectIdentifier(try await r.resolveAsync(Player.self, name: "real")),
            ]
        }
        let objects = try await resolver.resolveAsync([ObjectIdentifier].self)
        #expect(Set(objects).count == 1)
        #expect(runs.value == 1)
    }

    @Test func `an alias of an alias resolves to the original service`() async throws {
        let runs = Box(0)
        let resolver = resolver(ResolverScopeCache(), runs)
        resolver.register { r -> any SecondRole in try await r.resolveAsync(Player.self, name: "real") }
            .implements((any Role).self, name: "far")
        let far = try await resolver.resolveAsync((any Role).self, name: "far")
        #expect(far === resolver.existing(Player.self, name: "real"))
        #expect(runs.value == 1)
    }

    @Test func `an alias whose service does not conform fails as if the factory returned nil`() async throws {
        let resolver = Resolver()
        resolver.register { () -> Leaf in
            await Task.yield()
            return Leaf()
        }.implements((any Role).self)
        #expect(await resolver.asyncFailure((any Role).self)?.code == .factoryReturnedNil)
        #expect(try await resolver.optionalAsync((any Role).self) == nil)
    }

    @Test func `the decorator sees a service once per call and an alias twice`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let seen = Box<[String]>([])
            Resolver.decorate = { seen.append("\(type(of: $0))") }
            for scope in [ResolverScope.unique, ResolverScopeCache()] {
                let resolver = Resolver()
                resolver.register { () -> Player in
                    await Task.yield()
                    return Player()
                }.implements((any Role).self).scope(scope)
                seen.set([])
                guard (try? await resolver.resolveAsync(Player.self)) != nil else {
                    return Child.require(false, "resolved")
                }
                Child.require(seen.value == ["Player"], "\(seen.value)")
                // A call through an alias decorates the service and the alias.
                seen.set([])
                guard (try? await resolver.resolveAsync((any Role).self)) != nil else {
                    return Child.require(false, "resolved")
                }
                Child.require(seen.value == ["Player", "Player"], "\(seen.value)")
            }
        }
    }
}
