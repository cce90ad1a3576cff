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
        let declining = ThrowingScope { _, make in
            _ = try make()
            return nil
        }
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

    @Test func `registering on another thread does not change the error code`() {
        let resolver = Resolver(), wrong = Box<[ResolutionError.Code]>([])
        resolver.register(Leaf.self) { nil }
        Threads.run {
            for _ in 0..<Sanitizer.rounds(20_000) {
                if let code = resolver.failure(Leaf.self)?.code, code != .factoryReturnedNil { wrong.append(code) }
            }
        } repeating: {
            resolver.register(Leaf.self) { nil }.scope(.cached)
        }
        expect(wrong.value, is: [])
    }
}
