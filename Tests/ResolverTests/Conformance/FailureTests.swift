import Resolver
import Testing

@Suite struct FailureTests {
    @Test(arguments: [ResolverScope.graph, .cached])
    func `a retry in the same call gets a new object after a property block failed`(_ scope: ResolverScope) throws {
        let resolver = Resolver(), completed = Box<[Leaf]>([])
        resolver.register { Leaf() }.scope(scope).resolveProperties { _, leaf in
            completed.append(leaf)
            if completed.value.count == 1 { throw Failure() }
        }
        resolver.register { r -> [Leaf] in
            expect(r.failure(Leaf.self) != nil)
            return [try r.tryResolve(Leaf.self)]
        }
        let leaf = try resolver.tryResolve([Leaf].self)[0]
        expect(completed.value.count, is: 2)
        expect(leaf === completed.value.last)
        expect(leaf !== completed.value.first)
        expect(resolver.resolve(Leaf.self) === leaf, is: scope === ResolverScope.cached)
    }

    @Test(arguments: [false, true])
    func `a parameter of an initializer whose factory fails or returns nil is asked for once`(_ fails: Bool) {
        let resolver = Resolver(), made = Box(0)
        resolver.register { () throws -> Leaf? in
            made.increment()
            if fails { throw Failure() }
            return nil
        }
        resolver.autoregister(Holder<Leaf>.init)
        expect(resolver.failure(Holder<Leaf>.self) != nil)
        expect(made.value, is: 1)
    }

    @Test func `an error passes through a wrapper that cannot throw`() throws {
        let resolver = Resolver()
        let options = resolver.register { () -> Int in throw Failure(number: 3) }
        options.registration.update { factory in { resolver, args in factory(resolver, args).map { $0 + 1 } } }
        expect(resolver.failure(Int.self)?.underlying as? Failure, is: Failure(number: 3))
        options.registration.update { factory in { resolver, args in factory(resolver, args) ?? 5 } }
        try expect(resolver.tryResolve(Int.self), is: 5, "a wrapper may find something else")
    }

    @Test func `a factory and a property block of different actors are an error on either actor`() async throws {
        let resolver = Resolver(), made = Box(0)
        resolver.register { @MainActor in made.counting(OtherLeaf()) }.resolveProperties { @Vault _, _ in }
            .scope(.unique)
        await expect(MainActor.run { resolver.failure(OtherLeaf.self)?.code }, is: .wrongIsolation)
        let error = await #expect(throws: ResolutionError.self) { try await resolver.resolveAsync(OtherLeaf.self) }
        expect(error?.code, is: .wrongIsolation)
        expect(error?.description.contains("blocks belong to Swift.MainActor and ResolverTests"), is: true)
        await expect(Task { @Vault in resolver.failure(OtherLeaf.self)?.code }.value, is: .wrongIsolation)
        expect(made.value, is: 0)
    }

    private static let otherCalls = [
        Registrations("a deinit that resolves the service") { resolver in
            resolver.register { [unowned resolver] in DeinitCallback { _ = try? resolver.tryResolve(Leaf.self) } }
            resolver.register { r -> Leaf? in
                _ = r.resolve(DeinitCallback.self)
                return nil
            }.scope(.shared)
        },
        Registrations("a deinit that resolves another service, whose factory returns nil") { resolver in
            resolver.register { [unowned resolver] in DeinitCallback { _ = resolver.optional(OtherLeaf.self) } }
            resolver.register(OtherLeaf.self) { nil }
            resolver.register { r -> Leaf? in
                _ = r.resolve(DeinitCallback.self)
                return nil
            }
        },
        Registrations("a scope that resolves another service after the factory has returned nil") { resolver in
            resolver.register(name: "part") { Leaf() }
            resolver.register { r -> OtherLeaf in
                // The part is released at the end of the resolution cycle.
                _ = r.resolve(Leaf.self, name: "part")
                return OtherLeaf()
            }
            resolver.register(Leaf.self) { nil }.scope(CallbackScope(after: { _ = $0.resolve(OtherLeaf.self) }))
        },
        Registrations("a scope that finds no fallback in another resolver") {
            $0.register(Leaf.self) { nil }.scope(CallbackScope(after: { _ in _ = Resolver().optional(Leaf.self) }))
        },
        Registrations("an earlier call with a property block that ignores an error") { resolver in
            let failing = resolver.register(name: "failing") { () -> Leaf in throw Failure() }.registration
            resolver.register { Player() }.resolveProperties { r, _ in _ = failing.resolve(resolver: r, args: nil) }
            _ = resolver.resolve(Player.self)
            resolver.register(Leaf.self) { nil }
        },
    ]

    @Test(arguments: otherCalls)
    func `other calls do not change the error code of one whose factory returns nil`(_ calls: Registrations) {
        let resolver = Resolver()
        calls.register(resolver)
        expect(resolver.failure(Leaf.self)?.code, is: .factoryReturnedNil)
    }

    @Test func `a failing call with arguments keeps the graph instance of the resolution cycle`() {
        let resolver = Resolver(), parts = Box<[Leaf]>([])
        resolver.register { resolver, args -> Leaf in
            guard args.optional() == 1 else { return Leaf() }
            parts.append(try resolver.tryResolve())
            throw Failure()
        }.resolveProperties { _, _ in }
        resolver.register { resolver -> OtherLeaf in
            expect(resolver.failure(Leaf.self, args: 1) != nil)
            parts.append(resolver.resolve())
            return OtherLeaf()
        }
        _ = resolver.resolve(OtherLeaf.self)
        expect(parts.value.count, is: 2)
        expect(parts.value.first === parts.value.last)
    }

    /// Calls a factory that was wrapped, instead of the registration.
    private final class CallingFactory: ResolverScopeType {
        private let stored: Box<ResolverFactoryAnyArguments<Int>?>
        init(_ stored: Box<ResolverFactoryAnyArguments<Int>?>) { self.stored = stored }

        func resolve<Service>(registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?) -> Service? {
            stored.value?(resolver, args) as? Service
        }

        func reset() {}
    }

    @Test func `an error of a factory that a scope calls by itself is an error of the scope`() async {
        let stored = Box<ResolverFactoryAnyArguments<Int>?>(nil)
        let scopes: [any ResolverScopeType] = [
            CallingFactory(stored), AnsweringScope { stored.value?($0.resolver, nil) },
        ]
        for scope in scopes {
            let resolver = Resolver()
            let options = resolver.register { () -> Int in throw Failure(number: 4) }.scope(scope)
            options.registration.update { factory in
                stored.set(factory)
                return factory
            }
            for error in [resolver.failure(Int.self), await resolver.asyncFailure(Int.self)] {
                expect(error?.code, is: .scopeFailed)
                expect(error?.underlying as? Failure, is: Failure(number: 4))
            }
        }
    }

    @Test func `an error of a custom scope is the underlying error, also behind an alias`() {
        let resolver = Resolver()
        resolver.register { Player() }.implements((any Role).self).implements((any SecondRole).self)
            .scope(AnsweringScope { _ in throw Failure(number: 9) })
        let errors = [
            resolver.failure(Player.self), resolver.failure((any Role).self), resolver.failure((any SecondRole).self),
        ]
        expect(errors.map { $0?.path.count }, is: [1, 2, 2], "an alias is on the path")
        for error in errors {
            expect(error?.code, is: .scopeFailed)
            expect(error?.underlying as? Failure, is: Failure(number: 9))
            expect(error?.service.hasSuffix("Player"), is: true)
        }
    }
}
