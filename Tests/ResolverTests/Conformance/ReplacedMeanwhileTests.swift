import Resolver
import Testing

@Suite struct ReplacedMeanwhileTests {
    /// Returns a resolver whose clock runs `act` once, between the lookup of a registration and its use.
    private func resolver(_ act: @escaping @Sendable (Resolver) -> Void) -> Resolver {
        let resolver = Resolver(), isArmed = Box(true)
        resolver.clock = ResolverClock { [weak resolver] in
            if isArmed.exchange(false), let resolver { act(resolver) }
            return 0
        }
        return resolver
    }

    /// - Parameter isAtLookup: whether the context adds it at the lookup, or when the clock is read between the lookup and the use.
    @Test(arguments: [false, true])
    func `resolveAsync uses an asynchronous service that the context adds meanwhile`(_ isAtLookup: Bool) async throws {
        let kind = ScopeKind("meanwhile", rank: 10, binding: .execution)
        try await Resolver.runTest { () async throws in
            let isArmed = Box(true)
            let add: @Sendable () -> Void = {
                guard isArmed.exchange(false) else { return }
                Resolver.registerAsyncScoped(OtherLeaf.self, scope: kind) { await yielding(OtherLeaf()) }
            }
            let resolver = isAtLookup ? Resolver() : self.resolver { _ in add() }
            resolver.register { OtherLeaf() }.scope(.cached).timeToLive(10)
            let observation = Resolver.observe { if isAtLookup, $0.kind == .lookup { add() } }
            defer { observation.cancel() }
            try await Resolver.withScope(kind, id: "1") {
                let first = try await resolver.resolveAsync(OtherLeaf.self)
                let own = try await resolver.resolveAsync(OtherLeaf.self)
                try await expect(resolver.resolveAsync(OtherLeaf.self) === own)
                expect(first === own || !isAtLookup, "after the lookup it may be too late")
            }
        }
    }

    @Test(arguments: [ResolverScopeCache(), KeepingScope.Subclass()])
    func `a nil error names the successor whose factory ran`(_ scope: ResolverScopeCache) {
        let resolver = resolver { resolver in
            resolver.register(fileID: "Shop/App.swift", line: 20) { () -> Player? in nil }
        }
        resolver.register(fileID: "Shop/App.swift", line: 10) { Player() }.scope(scope).timeToLive(10)
        let error = resolver.failure(Player.self)
        expect(error?.code, is: .factoryReturnedNil)
        expect(error?.path.map(\.location?.line), is: [20])
    }

    @Test(arguments: [.unique, .graph, .cached, .container, .shared] as [ResolverScope])
    func `a nil inside the factory of another service is not the reason of a scope's nil`(_ scope: ResolverScope) {
        let resolver = Resolver()
        let declining = AnsweringScope { call in try call.make().flatMap { _ in nil } }
        resolver.register { r, args -> Leaf? in
            if args() as Int == 0 { return nil }
            _ = r.optional(OtherLeaf.self)
            return Leaf()
        }.scope(declining)
        resolver.register { r in OtherLeaf(after: r.optional(Leaf.self, args: 0)) }.scope(scope)
        expect(resolver.failure(Leaf.self, args: 1)?.code, is: .scopeDeclined)
    }

    @Test func `other calls of a scope do not replace its factory's error`() {
        let resolver = Resolver()
        let scope = CallbackScope(after: { r in _ = (r.optional(OtherLeaf.self), r.optional(Player.self)) })
        resolver.register { () -> Leaf in throw Failure(number: 7) }.scope(scope)
        resolver.register { OtherLeaf() }
        resolver.register(Player.self) { nil }.scope(.cached)
        let error = resolver.failure(Leaf.self)
        expect(error?.code, is: .factoryFailed)
        expect(error?.underlying as? Failure, is: Failure(number: 7))
    }

    @Test(arguments: [ResolverScope.cached, .container, .shared])
    func `a reset in a property block causes no false dependency cycle`(_ scope: ResolverScope) throws {
        let resolver = Resolver()
        resolver.register(name: "a") { Half() }.scope(scope).resolveProperties { r, a in
            r.reset(.scopes)
            a.other = try r.tryResolve(Half.self, name: "b")
        }
        resolver.register(name: "b") { Half() }.scope(scope).resolveProperties { r, b in
            b.other = try r.tryResolve(Half.self, name: "a")
        }
        let a = try resolver.tryResolve(Half.self, name: "a")
        let b = try #require(a.other as? Half)
        expect(b.other === a)
        a.other = nil
    }

    @Test func `a call ends even if its registration is replaced on each lookup`() throws {
        let resolver = Resolver()
        @Sendable func register() { resolver.register { Leaf() }.scope(.cached).timeToLive(10) }
        resolver.clock = ResolverClock {
            register()
            return 0
        }
        register()
        _ = try resolver.tryResolve(Leaf.self)
    }

    @Test func `a modifier that is added while the factory is being wrapped is wrapped too`() {
        let resolver = Resolver(), ran = Box<[String]>([])
        let options = resolver.register { Leaf() }
        options.registration.update { factory in
            Threads.run(1) { _ in
                options.resolveProperties { _, _ in ran.append("block") }
                options.registration.update { factory in
                    { resolver, args in
                        defer { ran.append("inner") }
                        return factory(resolver, args)
                    }
                }
                options.resolveProperties { _, _ in ran.append("later block") }
            }
            return { resolver, args in
                defer { ran.append("outer") }
                return factory(resolver, args)
            }
        }
        options.resolveProperties { _, _ in ran.append("last block") }
        _ = resolver.resolve(Leaf.self)
        expect(ran.value, is: ["block", "inner", "later block", "outer", "last block"])
    }

    @Test func `each scope that a registration has had is told of its end when threads change it at once`() {
        for _ in 0..<Sanitizer.rounds(2000) {
            let resolver = Resolver(), scopes = (0..<3).map { _ in AuditedCache() }
            let options = resolver.register { Leaf() }.scope(scopes[0])
            Threads.run(2) { options.scope(scopes[$0 + 1]) }
            resolver.unregister(Leaf.self)
            expect(scopes.map(\.released.value.count), is: [1, 1, 1])
        }
    }

    @Test func `a call with an argument keeps nothing for all calls once each argument has an instance`() {
        let resolver = Resolver(), isChanged = Box(false)
        let options = resolver.register { _, args in Holder<Int>(args.optional() ?? 0) }.scope(.cached).timeToLive(60)
        resolver.clock = ResolverClock {
            if !isChanged.value {
                isChanged.set(true)
                options.scopeOnArguments(Int.self)
            }
            return 0
        }
        let seven = resolver.resolve(Holder<Int>.self, args: 7)
        expect(seven.part, is: 7)
        expect(resolver.existing(Holder<Int>.self), is: nil)
        expect(resolver.resolve(Holder<Int>.self).part, is: 0)
        expect(resolver.resolve(Holder<Int>.self, args: 7) === seven)
    }
}
