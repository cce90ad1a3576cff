import Resolver
import Testing

/// `update(factory:)` and `resolveProperties` of asynchronous services.
@Suite struct AsyncModifierTests {
    private final class Page: Sendable {
        let number: Int
        let notes = Box<[String]>([])

        init(_ number: Int) {
            self.number = number
        }
    }

    private func resolver(_ scope: ResolverScope, _ runs: Box<Int> = Box(0)) -> (Resolver, ResolverOptions<Page>) {
        let resolver = Resolver()
        let options = resolver.register { () -> Page in
            await Task.yield()
            return Page(runs.increment())
        }.scope(scope)
        return (resolver, options)
    }

    static let scopes: [ResolverScope] = [.unique, .graph, ResolverScopeCache(), ResolverScopeShare()]

    // MARK: Wrappers

    @Test(arguments: scopes)
    func `a wrapper sees the instance that the factory creates`(_ scope: ResolverScope) async throws {
        let (resolver, options) = resolver(scope)
        let seen = Box<[Page]>([])
        options.registration.update { factory in
            { resolver, args in
                let page = factory(resolver, args)
                if let page { seen.append(page) }
                return page
            }
        }
        let page = try await resolver.resolveAsync(Page.self)
        #expect(seen.value.count == 1)
        #expect(seen.value.first === page)
    }

    @Test(arguments: scopes)
    func `an instance that a wrapper substitutes is returned and cached`(_ scope: ResolverScope) async throws {
        let runs = Box(0)
        let (resolver, options) = resolver(scope, runs)
        options.registration.update { factory in
            { resolver, args in factory(resolver, args).map { Page($0.number + 100) } }
        }
        let page = try await resolver.resolveAsync(Page.self)
        #expect(page.number == 101)
        #expect(runs.value == 1)
        let kept = resolver.existing(Page.self)
        #expect(kept == nil || kept === page)
        #expect((kept != nil) == (scope !== ResolverScope.unique && scope !== ResolverScope.graph))
    }

    @Test(arguments: scopes)
    func `a wrapper that calls the factory twice gets two instances`(_ scope: ResolverScope) async throws {
        let (resolver, options) = resolver(scope)
        options.registration.update { factory in
            { resolver, args in
                guard let one = factory(resolver, args), let other = factory(resolver, args) else { return nil }
                return Page(10 * one.number + other.number)
            }
        }
        #expect(try await resolver.resolveAsync(Page.self).number == 12)
    }

    @Test(arguments: scopes)
    func `a wrapper may return nil and then nothing is cached`(_ scope: ResolverScope) async throws {
        let runs = Box(0)
        let (resolver, options) = resolver(scope, runs)
        options.registration.update { factory in
            { resolver, args in
                _ = factory(resolver, args)
                return nil
            }
        }
        #expect(await resolver.asyncFailure(Page.self)?.code == .factoryReturnedNil)
        #expect(try await resolver.optionalAsync(Page.self) == nil)
        #expect(runs.value == 2)
        #expect(resolver.existing(Page.self) == nil)
    }

    @Test(arguments: scopes)
    func `a wrapper with a fallback for nil gets the instance of the asynchronous factory`(_ scope: ResolverScope)
        async throws
    {
        let runs = Box(0)
        let (resolver, options) = resolver(scope, runs)
        options.registration.update { factory in
            { resolver, args in factory(resolver, args) ?? Page(0) }
        }
        #expect(try await resolver.resolveAsync(Page.self).number == 1)
        #expect(runs.value == 1)
    }

    @Test(arguments: scopes)
    func `a wrapper may return a fallback for a factory that throws`(_ scope: ResolverScope) async throws {
        let resolver = Resolver()
        let runs = Box(0)
        let options = resolver.register { () -> Page in
            await Task.yield()
            runs.increment()
            throw Failure()
        }.scope(scope)
        options.registration.update { factory in
            { resolver, args in factory(resolver, args) ?? Page(0) }
        }
        #expect(try await resolver.resolveAsync(Page.self).number == 0)
        #expect(runs.value == 1)
    }

    // MARK: Properties

    @Test(arguments: scopes)
    func `property blocks run once per instance, after the factory and in order`(_ scope: ResolverScope)
        async throws
    {
        let runs = Box(0)
        let (resolver, options) = resolver(scope, runs)
        options.resolveProperties { _, page in page.notes.append("first \(page.number)") }
            .resolveProperties { _, page, args in page.notes.append("second \(args.optional() ?? 0)") }
        let bothAsk = Rendezvous(2)
        let ask: @Sendable () async throws -> Page = {
            await bothAsk.arriveAndPass()
            return try await resolver.resolveAsync(Page.self, args: 7)
        }
        async let first = ask()
        async let second = ask()
        let pages = [try await first, try await second, try await resolver.resolveAsync(Page.self, args: 7)]
        for page in pages { #expect(page.notes.value == ["first \(page.number)", "second 7"]) }
        let isKept = scope !== ResolverScope.unique && scope !== ResolverScope.graph
        #expect(runs.value == (isKept ? 1 : 3))
        #expect(Set(pages.map(ObjectIdentifier.init)).count == runs.value)
    }

    @Test(arguments: [ResolverScope.graph, ResolverScopeCache(), ResolverScope.container, ResolverScopeShare()])
    func `property blocks may resolve the instance that they complete`(_ scope: ResolverScope) async throws {
        let runs = Box(0)
        let (resolver, options) = resolver(scope, runs)
        let direct = Box<Page?>(nil), through = Box<[Page]>([])
        resolver.register(name: "holder") { r in [try r.tryResolve(Page.self)] }
        options.resolveProperties { r, _ in
            direct.set(try r.tryResolve(Page.self))
            through.set(try r.tryResolve([Page].self, name: "holder"))
        }
        let page = try await resolver.resolveAsync(Page.self)
        #expect(direct.value === page)
        #expect(through.value.first === page)
        #expect(runs.value == 1)
    }

    @Test func `a unique service that its property block resolves again is a dependency cycle`() async throws {
        let (resolver, options) = resolver(.unique)
        options.resolveProperties { r, page in page.notes.append("\(type(of: try r.tryResolve(Page.self)))") }
        let error = try #require(await resolver.asyncFailure(Page.self))
        #expect(error.code == .circularDependency)
    }

    @Test func `a property block of the main actor runs on the main actor`() async throws {
        for scope in AsyncModifierTests.scopes {
            let (resolver, options) = resolver(scope)
            options.resolveProperties { @MainActor _, page in
                MainActor.assertIsolated()
                page.notes.append("main")
            }
            #expect(try await resolver.resolveAsync(Page.self).notes.value == ["main"])
        }
    }

    @Test(arguments: scopes)
    func `an error of a property block is reported and the instance is not cached`(_ scope: ResolverScope) async throws
    {
        let runs = Box(0)
        let (resolver, options) = resolver(scope, runs)
        options.resolveProperties { _, page in if page.number == 1 { throw Failure(number: 1) } }
        let error = try #require(await resolver.asyncFailure(Page.self))
        #expect(error.code == .factoryFailed)
        #expect(error.underlying as? Failure == Failure(number: 1))
        #expect(resolver.existing(Page.self) == nil)
        #expect(try await resolver.resolveAsync(Page.self).number == 2)
    }

    @Test func `an asynchronous and a synchronous service may refer to each other by properties`() async throws {
        final class Parent: Sendable { let child = Box<Child?>(nil) }
        final class Child: Sendable {
            let parent: Parent
            init(_ parent: Parent) { self.parent = parent }
        }
        let resolver = Resolver(), cache = ResolverScopeCache()
        resolver.register { () -> Parent in
            await Task.yield()
            return Parent()
        }.scope(cache).resolveProperties { r, parent in parent.child.set(try r.tryResolve(Child.self)) }
        resolver.register { r in Child(try r.tryResolve(Parent.self)) }.scope(cache)
        let parent = try await resolver.resolveAsync(Parent.self)
        #expect(parent.child.value?.parent === parent)
        #expect(parent.child.value === resolver.existing(Child.self))
        parent.child.set(nil)
    }
}
