import Resolver
import Testing

/// Scopes that ask more than once, or ask each other.
@Suite struct CombinedScopeTests {
    /// Has a string for each argument, which notes that it was asked for. The argument `failing` is an error.
    private func resolver(
        _ scope: any ResolverScopeType, isAsync: Bool, failing: String?, _ asked: Box<[String]>
    ) -> Resolver {
        let resolver = Resolver()
        let make = { @Sendable (args: Resolver.Args) throws -> Box<String> in
            let label: String = args()
            asked.append(label)
            if label == failing { throw Failure(number: 1) }
            return Box(label)
        }
        if isAsync {
            resolver.register { _, args in try await yielding(make(args)) }.scope(scope).scopeOnArguments()
        } else {
            resolver.register { _, args in try make(args) }.scope(scope).scopeOnArguments()
        }
        return resolver
    }

    private final class Fallback: ResolverScopeType {
        func resolve<Service>(registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?) -> Service? {
            registration.instantiate(resolver: resolver, args: "first")
                ?? registration.instantiate(resolver: resolver, args: "second")
        }

        func reset() {}
    }

    @Test(arguments: [false, true], [nil, "first"])
    func `a scope tries other arguments only if the first fail`(_ isAsync: Bool, _ failing: String?) async throws {
        let asked = Box<[String]>([]), resolver = resolver(Fallback(), isAsync: isAsync, failing: failing, asked)
        let result = try await resolver.resolveAsync(Box<String>.self).value
        expect(result, is: failing == nil ? "first" : "second")
        expect(asked.value, is: failing == nil ? ["first"] : ["first", "second"])
    }

    @Test(arguments: [false, true])
    func `a cache hands out what it keeps, and not what its scope has made`(_ isAsync: Bool) async throws {
        let resolver = Resolver(), runs = Box(0), cache = ResolverScopeCache()
        let wasteful = AnsweringScope { call in
            let kept = try call.ask(cache)
            _ = try call.make()
            return kept
        }
        resolver.register(isAsync: isAsync) { _ in runs.counting(Leaf()) }.scope(wasteful)
        let first: Leaf = try await resolver.resolveAsync()
        for _ in 0..<2 { try await expect(resolver.resolveAsync(Leaf.self) === first) }
        expect(runs.value, is: 4)
    }

    @Test(arguments: [false, true])
    func `each of two caches in a scope keeps an instance of its own`(_ isAsync: Bool) async throws {
        let resolver = Resolver(), runs = Box(0), first = ResolverScopeCache(), second = ResolverScopeCache()
        let both = AnsweringScope { call in
            _ = try call.ask(first)
            return try call.ask(second)
        }
        resolver.register(isAsync: isAsync) { _ in runs.counting(Leaf()) }.scope(both)
        let leaf: Leaf = try await resolver.resolveAsync()
        try await expect(resolver.resolveAsync(Leaf.self) === leaf)
        expect(runs.value, is: 2)
        first.reset()
        try await expect(resolver.resolveAsync(Leaf.self) === leaf)
        expect(runs.value, is: 3)
    }

    @Test(arguments: [false, true], [false, true])
    func `a scope gets the error of its cache as an answer`(_ isAsync: Bool, _ isThrowing: Bool) async throws {
        let asked = Box<[String]>([]), cache = ResolverScopeCache()
        let fallback = AnsweringScope { call in
            ["first", "first", "second"].lazy.compactMap { try? call.answer(cache, $0, isThrowing) }.first
        }
        let resolver = resolver(fallback, isAsync: isAsync, failing: "first", asked)
        try await expect(resolver.resolveAsync(Box<String>.self).value, is: "second")
        // A call awaits an error once. A synchronous factory runs again.
        expect(asked.value, is: isAsync ? ["first", "second"] : ["first", "first", "second"])
    }

    @Test(arguments: [false, true])
    func `a scope gets the dependency cycle of its cache as an answer`(_ isAsync: Bool) async throws {
        let resolver = Resolver(), found = Box<Leaf?>(nil), cache = ResolverScopeCache(), spare = Leaf()
        let scope = AnsweringScope { (try? $0.ask(cache)) ?? spare }
        if isAsync {
            resolver.register { r in Leaf(after: found.set(try await r.resolveAsync(Leaf.self))) }.scope(scope)
        } else {
            resolver.register { r in Leaf(after: found.set(try r.tryResolve(Leaf.self))) }.scope(scope)
        }
        try await expect(resolver.resolveAsync(Leaf.self) !== spare)
        expect(found.value === spare)
    }

    @Test func `a scope that has another cache each time is not asked without end for a dependency cycle`() async {
        let resolver = Resolver(), asked = Box(0)
        let forgetful = AnsweringScope { call in
            if asked.increment() > 5000 { throw Failure(number: 1) }
            return try call.ask(ResolverScopeCache())
        }
        resolver.register { r in Leaf(after: try await r.resolveAsync(Leaf.self)) }.scope(forgetful)
        await expect(resolver.asyncFailure(Leaf.self)?.code, is: .circularDependency)
    }

    /// Releases what it keeps before each answer.
    private final class Renewing: ResolverScopeCache, @unchecked Sendable {
        override func tryResolve<Service>(
            registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
        ) throws -> Service? {
            release(registration)
            return try super.tryResolve(registration: registration, resolver: resolver, args: args)
        }
    }

    @Test func `a hook of a scope that is asked is not given what the call awaits`() async throws {
        let resolver = Resolver(), found = Box<[ResolutionError?]>([])
        resolver.register(isAsync: true) { _ in Leaf() }.scope(Renewing())
            .onRelease { _ in found.append(resolver.failure(Leaf.self)) }
        _ = try await resolver.resolveAsync(Leaf.self)
        expect(found.value.map { $0?.code }, is: [.requiresAsync])
    }

    private final class PassingOn: ResolverScope, @unchecked Sendable {
        private let other: ResolverScope
        init(_ other: ResolverScope) { self.other = other }

        override func tryResolve<Service>(
            registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
        ) throws -> Service? { try other.tryResolve(registration: registration, resolver: resolver, args: args) }

        override func existing<Service>(
            registration: ResolverRegistration<Service>, resolver: Resolver
        ) -> Service? { other.existing(registration: registration, resolver: resolver) }

        override func release(_ registration: AnyResolverRegistration) { other.release(registration) }
    }

    @Test(arguments: [false, true])
    func `a reset of a scope releases what a scope or a cache of the resolver has passed on to it`(_ isCache: Bool) {
        let resolver = Resolver(), cache = ResolverScopeCache(), released = Box(0)
        if isCache { resolver.cache = PassingOn(cache) }
        resolver.register { Leaf() }.scope(isCache ? .container : PassingOn(cache))
            .onRelease { _ in _ = released.increment() }
        let leaf: Leaf = resolver.resolve()
        resolver.reset(scope: cache)
        expect(released.value, is: 1)
        expect(resolver.resolve(Leaf.self) !== leaf)
    }

    /// Its functions call each other without end.
    private final class Circular: ResolverScopeCache, @unchecked Sendable {
        override func resolve<Service>(
            registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
        ) -> Service? { try? tryResolve(registration: registration, resolver: resolver, args: args) }

        override func tryResolve<Service>(
            registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
        ) throws -> Service? { try super.tryResolve(registration: registration, resolver: resolver, args: args) }
    }

    @Test func `scopes whose functions ask each other without end return nothing`() async {
        await #expect(processExitsWith: .success) {
            // The recursion goes down to the end of the stack, so its size is a known one.
            Threads.withStack(of: 512 << 10) {
                let resolver = Resolver()
                resolver.register { Leaf() }.scope(Circular())
                expect(resolver.failure(Leaf.self) != nil)
                resolver.register { OtherLeaf() }.scope(.container)
                resolver.cache = PassingOn(.container)
                expect(resolver.failure(OtherLeaf.self)?.code, is: .tooDeep)
                expect(resolver.existing(OtherLeaf.self) == nil)
                expect(resolver.unregister(OtherLeaf.self))
            }
        }
    }

    private final class Declining: ResolverScopeType {
        func resolve<Service>(registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?) -> Service? {
            nil
        }

        func reset() {}
    }

    @Test func `a factory has returned nil, whatever another scope answers afterwards`() {
        let resolver = Resolver()
        resolver.register { () -> Leaf? in nil }.scope(AnsweringScope { try $0.make() ?? $0.ask(Declining()) })
        expect(resolver.failure(Leaf.self)?.code, is: .factoryReturnedNil)
        resolver.register { Leaf() }.scope(Declining())
        expect(resolver.failure(Leaf.self)?.code, is: .scopeDeclined)
    }
}
