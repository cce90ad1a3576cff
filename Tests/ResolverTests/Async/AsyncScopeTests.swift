import Resolver
import Testing

@Suite struct AsyncScopeTests {
    /// Resolves two arguments from a cache in one call.
    private final class Twofold: ResolverScope, @unchecked Sendable {
        private let cache = ResolverScopeCache()

        override func tryResolve<Service>(
            registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
        ) throws -> Service? {
            let first: Service? = try cache.tryResolve(registration: registration, resolver: resolver, args: "first")
            let last: Service? = try cache.tryResolve(registration: registration, resolver: resolver, args: "last")
            return first == nil ? nil : last
        }
    }

    @Test func `a scope that resolves two arguments in one call gets an instance for each`() async throws {
        let made = Box<[String]>([])
        resolver.register { (_, args) -> Box<String> in
            await Task.yield()
            made.append(args())
            return Box(args())
        }.scope(Twofold()).scopeOnArguments()
        try await expect(resolver.resolveAsync(Box<String>.self).value, is: "last")
        expect(made.value, is: ["first", "last"])
    }

    private let resolver = Resolver(), runs = Box(0)

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
        register(
            ThrowingScope { resolver, make in
                _ = try resolver.tryResolve(OtherLeaf.self)
                return try make()
            })
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
        register(
            ThrowingScope { _, _ in
                if let failure { throw failure }
                return nil
            })
        let error = await resolver.asyncFailure(Leaf.self)
        expect(error?.code, is: failure == nil ? .scopeDeclined : .scopeFailed)
        expect(error?.underlying as? Failure, is: failure)
        if failure == nil { try await expect(resolver.optionalAsync(Leaf.self), is: nil) }
        expect(runs.value, is: 0)
    }

    @Test(arguments: [false, true])
    func `a scope that catches errors of its factory gets the instance`(_ isOptional: Bool) async throws {
        register(ThrowingScope { _, make in try? make() })
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
}
