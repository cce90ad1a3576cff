import Resolver
import Testing

@globalActor private actor Annex { static let shared = Annex() }

@Suite struct AsyncScopeTests {
    private let resolver = Resolver(), runs = Box(0)

    @Test func `a scope that resolves two arguments in one call gets an instance for each`() async throws {
        let made = Box<[String]>([]), cache = ResolverScopeCache()
        let twofold = AnsweringScope { call in
            let first = try call.ask(cache, "first"), last = try call.ask(cache, "last")
            return first == nil ? nil : last
        }
        resolver.register { (_, args) -> Box<String> in
            await yielding(made.append(args()))
            return Box(args())
        }.scope(twofold).scopeOnArguments()
        try await expect(resolver.resolveAsync(Box<String>.self).value, is: "last")
        expect(made.value, is: ["first", "last"])
    }

    private func register(_ scope: any ResolverScopeType) {
        resolver.register { [runs] in await yielding(runs.counting(Leaf())) }.scope(scope)
    }

    @Test func `a scope from scratch passes on the factory's error`() async {
        resolver.register { [runs] () async throws -> Leaf in
            throw await yielding(Failure(number: runs.increment()))
        }.scope(TableScope())
        for run in 1...2 {
            let error = await resolver.asyncFailure(Leaf.self)
            expect(error?.code, is: .factoryFailed)
            expect(error?.underlying as? Failure, is: Failure(number: run))
        }
    }

    @Test func `a call that a scope makes is synchronous`() async throws {
        let others = Box(0)
        let asking = AnsweringScope { call in
            _ = try call.resolver.tryResolve(OtherLeaf.self)
            return try call.make()
        }
        register(asking)
        resolver.register { await yielding(others.counting(OtherLeaf())) }.scope(ResolverScopeCache())
        await expect(resolver.asyncFailure(Leaf.self)?.code, is: .requiresAsync)
        expect(others.value, is: 0)
        let other: OtherLeaf = try await resolver.resolveAsync()
        try expect(resolver.tryResolve(OtherLeaf.self) === other)
        _ = try await resolver.resolveAsync(Leaf.self)
        expect(runs.value, is: 1)
    }

    @Test(arguments: [nil, Failure(number: 5)])
    func `a scope that declines or throws is reported and the factory does not run`(_ failure: Failure?) async throws {
        let failing = AnsweringScope { _ in
            if let failure { throw failure }
            return nil
        }
        register(failing)
        let error = await resolver.asyncFailure(Leaf.self)
        expect(error?.code, is: failure == nil ? .scopeDeclined : .scopeFailed)
        expect(error?.underlying as? Failure, is: failure)
        if failure == nil { try await expect(resolver.optionalAsync(Leaf.self), is: nil) }
        expect(runs.value, is: 0)
    }

    @Test(arguments: [false, true])
    func `a scope that catches errors of its factory gets the instance`(_ isOptional: Bool) async throws {
        register(AnsweringScope { try? $0.make() })
        try await expect((isOptional ? resolver.optionalAsync() : resolver.resolveAsync() as Leaf) != nil)
        expect(runs.value, is: 1)
    }

    @Test(arguments: [false, true])
    func `callers that wait while a service gets a custom scope share its instance`(_ isAlias: Bool) async throws {
        let resolver = resolver, pause = Pause()
        let options = resolver.register { [runs] in await pause.suspending(runs.counting(Leaf())) }
            .implements((any AnyObject & Sendable).self).scope(ResolverScopeCache())
        let callers = Callers()
        let tasks = callers.call(times: 2) { () async throws -> any AnyObject & Sendable in
            if isAlias { try await resolver.resolveAsync() } else { try await resolver.resolveAsync(Leaf.self) }
        }
        await pause.hasBegun.pass()
        await callers.untilAllWait()
        options.scope(TableScope())
        pause.mayEnd.open()
        let leaf = try await tasks[0].value
        try await expect(tasks[1].value === leaf)
        expect(runs.value, is: 1)
    }

    /// A cache that passes other arguments in each pass.
    private final class Numbering: ResolverScopeCache, @unchecked Sendable {
        private let asked = Box(0)

        override func resolve<Service>(
            registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
        ) -> Service? { super.resolve(registration: registration, resolver: resolver, args: asked.increment()) }
    }

    @Test func `the error of a service that no scope can keep does not advise to create it first`() async throws {
        let resolver = Resolver()
        resolver.register { () async -> any Sendable in await yielding(1) }.scope(.shared)
        resolver.register { await yielding(Leaf()) }.scope(.cached).timeToLive(0)
        _ = try await (resolver.resolveAsync((any Sendable).self), resolver.resolveAsync(Leaf.self))
        for error in [resolver.failure((any Sendable).self), resolver.failure(Leaf.self)] {
            expect(error?.code, is: .requiresAsync)
            expect(error?.description.contains("Call `await resolveAsync()` instead"), is: true)
        }
    }

    @Test func `a call ends although each pass has other arguments, or another registration of the service`() async {
        await #expect(processExitsWith: .success) {
            let resolver = Resolver(), runs = Box(0)
            resolver.register { (_, _) in await yielding(OtherLeaf()) }.scope(Numbering()).scopeOnArguments()
            await expect(resolver.asyncFailure(OtherLeaf.self, args: 1), is: nil)
            @Sendable func register() {
                resolver.register { (_, _) in await yielding(runs.counting(Leaf())) }.scope(.cached).scopeOnArguments()
            }
            register()
            _ = try await resolver.resolveAsync(Leaf.self, args: CallingArgument(onHash: { register() }))
            expect(runs.value, is: 1)
        }
    }

    @Test func `the error of a parameter whose factory on an actor returns nil is that of its factory`() async {
        final class Owner: Sendable { init(_ leaf: Leaf) async {} }
        resolver.register(Leaf.self) { @MainActor in nil }
        resolver.autoregister(Owner.init)
        await expect(resolver.asyncFailure(Owner.self)?.code, is: .factoryReturnedNil)
    }

    @Test func `a service that moves to another actor during a call is created on that actor`() async throws {
        let resolver = resolver, hasMoved = Box(false)
        let move = CallbackScope { _ in
            if hasMoved.exchange(true) { return }
            resolver.register { @Annex () in Leaf(after: Annex.shared.assertIsolated()) }.scope(.cached)
        }
        resolver.register { @Vault in Leaf() }.scope(move)
        let leaf: Leaf = try await resolver.resolveAsync()
        try expect(resolver.tryResolve(Leaf.self) === leaf)
    }

    @Test func `an asynchronous factory runs on its actor and its property block on another`() async throws {
        let notes = Box<[String]>([])
        resolver.register { @Vault () async -> Leaf in
            Vault.shared.assertIsolated()
            await Task.yield()
            Vault.shared.assertIsolated()
            return Leaf(after: notes.append("made"))
        }.resolveProperties { @Annex _, _ in
            Annex.shared.assertIsolated()
            notes.append("completed")
        }
        _ = try await resolver.resolveAsync(Leaf.self)
        expect(notes.value, is: ["made", "completed"])
    }

    @Test(arguments: [ResolverScope.unique, .graph, ResolverScopeCache()])
    func `the caller continues on its actor after a call`(_ scope: ResolverScope) async {
        resolver.register { @Annex in Leaf() }.scope(scope)
        resolver.register(name: "asynchronous") { await yielding(Leaf()) }.scope(scope)
        resolver.register(name: "throws") { () async throws -> Leaf in throw await yielding(Failure()) }.scope(scope)
        await Task { @Vault in
            for name in [nil, "asynchronous", "throws"] as [Resolver.Name?] {
                _ = try? await resolver.resolveAsync(Leaf.self, name: name)
                Vault.shared.assertIsolated()
            }
        }.value
    }
}
