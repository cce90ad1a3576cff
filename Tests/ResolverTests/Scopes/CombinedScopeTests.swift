import Resolver
import Testing

/// Scopes that ask more than once, or ask each other.
@Suite struct CombinedScopeTests {
    private final class Fallback: ResolverScopeType {
        func resolve<Service>(
            registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
        ) -> Service? {
            registration.instantiate(resolver: resolver, args: "first")
                ?? registration.instantiate(resolver: resolver, args: "second")
        }

        func reset() {}
    }

    @Test(arguments: [false, true], [nil, "first"])
    func `a scope tries other arguments only if the first fail`(_ isAsync: Bool, _ failing: String?) async throws {
        let resolver = Resolver(), asked = Box<[String]>([])
        let make = { @Sendable (args: Resolver.Args) throws -> Box<String> in
            let label: String = args()
            asked.append(label)
            if label == failing { throw Failure(number: 1) }
            return Box(label)
        }
        if isAsync {
            resolver.register { _, args in try await yielding(make(args)) }.scope(Fallback())
        } else {
            resolver.register { _, args in try make(args) }.scope(Fallback())
        }
        let result = try await resolver.resolveAsync(Box<String>.self).value
        expect(result, is: failing == nil ? "first" : "second")
        expect(asked.value, is: failing == nil ? ["first"] : ["first", "second"])
    }

    /// Makes an instance that it drops, and hands out that of a cache.
    private final class Wasteful: ResolverScope, @unchecked Sendable {
        private let cache = ResolverScopeCache()

        override func tryResolve<Service>(
            registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
        ) throws -> Service? {
            let kept = try cache.tryResolve(registration: registration, resolver: resolver, args: args)
            _ = try registration.make(resolver: resolver, args: args)
            return kept
        }
    }

    @Test(arguments: [false, true])
    func `a cache hands out what it keeps, and not what its scope has made`(_ isAsync: Bool) async throws {
        let resolver = Resolver(), runs = Box(0)
        resolver.register(isAsync: isAsync) { _ in runs.counting(Leaf()) }.scope(Wasteful())
        let leaves = [
            try await resolver.resolveAsync(Leaf.self), try await resolver.resolveAsync(),
            try await resolver.resolveAsync(),
        ]
        expect(leaves.allSatisfy { $0 === leaves[0] })
        expect(runs.value, is: 4)
    }

    /// Asks one cache, and hands out the instance of another.
    private final class TwoCaches: ResolverScope, @unchecked Sendable {
        let first = ResolverScopeCache(), second = ResolverScopeCache()

        override func tryResolve<Service>(
            registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
        ) throws -> Service? {
            _ = try first.tryResolve(registration: registration, resolver: resolver, args: args)
            return try second.tryResolve(registration: registration, resolver: resolver, args: args)
        }
    }

    @Test(arguments: [false, true])
    func `each of two caches in a scope keeps an instance of its own`(_ isAsync: Bool) async throws {
        let resolver = Resolver(), runs = Box(0), scope = TwoCaches()
        resolver.register(isAsync: isAsync) { _ in runs.counting(Leaf()) }.scope(scope)
        let leaf: Leaf = try await resolver.resolveAsync()
        try await expect(resolver.resolveAsync(Leaf.self) === leaf)
        expect(runs.value, is: 2)
        scope.first.reset()
        try await expect(resolver.resolveAsync(Leaf.self) === leaf)
        expect(runs.value, is: 3)
    }

    /// Asks its cache for the first argument twice, and then for the second.
    private final class CachedFallback: ResolverScope, @unchecked Sendable {
        private let cache = ResolverScopeCache(), isThrowing: Bool
        init(isThrowing: Bool) { self.isThrowing = isThrowing }

        override func tryResolve<Service>(
            registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
        ) throws -> Service? {
            for args in ["first", "first", "second"] {
                let service: Service? =
                    if isThrowing {
                        try? cache.tryResolve(registration: registration, resolver: resolver, args: args)
                    } else {
                        cache.resolve(registration: registration, resolver: resolver, args: args)
                    }
                if let service { return service }
            }
            return nil
        }
    }

    @Test(arguments: [false, true], [false, true])
    func `a scope gets the error of its cache as an answer`(_ isAsync: Bool, _ isThrowing: Bool) async throws {
        let resolver = Resolver(), asked = Box<[String]>([])
        let make = { @Sendable (args: Resolver.Args) throws -> Box<String> in
            let label: String = args()
            asked.append(label)
            if label == "first" { throw Failure(number: 1) }
            return Box(label)
        }
        let scope = CachedFallback(isThrowing: isThrowing)
        if isAsync {
            resolver.register { _, args in try await yielding(make(args)) }.scope(scope).scopeOnArguments()
        } else {
            resolver.register { _, args in try make(args) }.scope(scope).scopeOnArguments()
        }
        try await expect(resolver.resolveAsync(Box<String>.self).value, is: "second")
        // A call awaits an error once. A synchronous factory runs again.
        expect(asked.value, is: isAsync ? ["first", "second"] : ["first", "first", "second"])
    }

    /// Hands out a spare object where its cache fails.
    private final class Spare: ResolverScopeCache, @unchecked Sendable {
        let spare = Leaf()

        override func tryResolve<Service>(
            registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
        ) throws -> Service? {
            (try? super.tryResolve(registration: registration, resolver: resolver, args: args)) ?? spare as? Service
        }
    }

    @Test(arguments: [false, true])
    func `a scope gets the dependency cycle of its cache as an answer`(_ isAsync: Bool) async throws {
        let resolver = Resolver(), scope = Spare(), found = Box<Leaf?>(nil)
        if isAsync {
            resolver.register { resolver -> Leaf in
                found.set(try await resolver.resolveAsync(Leaf.self))
                return Leaf()
            }.scope(scope)
        } else {
            resolver.register { resolver -> Leaf in
                found.set(try resolver.tryResolve(Leaf.self))
                return Leaf()
            }.scope(scope)
        }
        try await expect(resolver.resolveAsync(Leaf.self) !== scope.spare)
        expect(found.value === scope.spare)
    }

    /// Has a new cache for each request.
    private final class Forgetful: ResolverScope, @unchecked Sendable {
        private let asked = Box(0)

        override func tryResolve<Service>(
            registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
        ) throws -> Service? {
            if asked.increment() > 5000 { throw Failure(number: 1) }
            return try ResolverScopeCache().tryResolve(registration: registration, resolver: resolver, args: args)
        }
    }

    @Test func `a scope that has another cache each time is not asked without end for a dependency cycle`() async {
        let resolver = Resolver()
        resolver.register { resolver -> Leaf in
            _ = try await resolver.resolveAsync(Leaf.self)
            return Leaf()
        }.scope(Forgetful())
        let error = await resolver.asyncFailure(Leaf.self)
        expect(error?.code, is: .circularDependency)
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
        func resolve<Service>(
            registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
        ) -> Service? { nil }

        func reset() {}
    }

    private final class MakingOrDeclining: ResolverScope, @unchecked Sendable {
        override func tryResolve<Service>(
            registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
        ) throws -> Service? {
            try registration.make(resolver: resolver, args: args)
                ?? Declining().tryResolve(registration: registration, resolver: resolver, args: args)
        }
    }

    @Test func `a factory has returned nil, whatever another scope answers afterwards`() {
        let resolver = Resolver()
        resolver.register { () -> Leaf? in nil }.scope(MakingOrDeclining())
        expect(resolver.failure(Leaf.self)?.code, is: .factoryReturnedNil)
        resolver.register { Leaf() }.scope(Declining())
        expect(resolver.failure(Leaf.self)?.code, is: .scopeDeclined)
    }
}
