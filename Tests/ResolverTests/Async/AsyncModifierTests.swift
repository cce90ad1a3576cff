import Resolver
import Testing

@Suite struct AsyncModifierTests {
    private final class Page: Sendable {
        let number: Int
        let notes = Box<[String]>([])

        init(_ number: Int) { self.number = number }
    }

    private let resolver = Resolver(), runs = Box(0)

    private static let scopes: [ResolverScope] = [.unique, .graph, ResolverScopeCache(), ResolverScopeShare()]
    private func isKept(_ scope: ResolverScope) -> Bool {
        scope !== ResolverScope.unique && scope !== ResolverScope.graph
    }

    @discardableResult private func register(_ scope: ResolverScope) -> ResolverOptions<Page> {
        resolver.register { [runs] in await yielding(Page(runs.increment())) }.scope(scope)
    }

    @Test(arguments: scopes)
    func `a block that is added while the factory runs completes the instance`(_ scope: ResolverScope) async throws {
        let creation = Pause()
        let options = resolver.register { await creation.suspending(Page(1)) }.scope(scope)
        async let page = resolver.resolveAsync(Page.self)
        await creation.during { options.resolveProperties { _, page in page.notes.append("added") } }
        try await expect(page.notes.value, is: ["added"])
    }

    @Test(arguments: scopes)
    func `a block gets the graph objects that the factory has resolved`(_ scope: ResolverScope) async throws {
        resolver.register { await yielding(Leaf()) }.scope(.graph)
        resolver.register { await yielding(0) }
        let seen = Box<[Leaf]>([])
        resolver.register { resolver async throws -> Page in
            seen.append(try await resolver.resolveAsync(Leaf.self))
            return Page(1)
        }.scope(scope).resolveProperties { resolver, _ in seen.append(try resolver.tryResolve(Leaf.self)) }
        // The first call of a process takes all steps.
        _ = try await resolver.resolveAsync(Int.self)
        _ = try await resolver.resolveAsync(Page.self)
        expect(seen.value.count, is: 2)
        expect(seen.value.first === seen.value.last)
    }

    @Test(arguments: scopes)
    func `what a wrapper of the factory returns is returned and cached`(_ scope: ResolverScope) async throws {
        typealias Wrapper = @Sendable (_ make: () -> Page?) -> Page?
        let substitute: Wrapper = { make in make().map { Page($0.number + 100) } }
        let twice: Wrapper = { make in
            guard let one = make(), let other = make() else { return nil }
            return Page(10 * one.number + other.number)
        }
        let nothing: Wrapper = { make in make().flatMap { _ in nil as Page? } }
        let second: Wrapper = { make in
            _ = make()
            return make() ?? Page(0)
        }
        let results: [(Wrapper, Int?, runs: Int)] = [
            (substitute, 101, 1), (twice, 12, 2), (second, 2, 2), (nothing, nil, 1),
        ]
        for (wrapper, number, count) in results {
            runs.set(0)
            register(scope).registration.update { factory in { resolver, args in wrapper { factory(resolver, args) } } }
            let page = try await resolver.optionalAsync(Page.self)
            expect(page?.number, is: number)
            expect(runs.value, is: count)
            expect(resolver.existing(Page.self) === (isKept(scope) ? page : nil))
        }
        await expect(resolver.asyncFailure(Page.self)?.code, is: .factoryReturnedNil)
        expect(runs.value, is: 2)
    }

    @Test(arguments: scopes, [false, true])
    func `a fallback replaces only what the factory fails to make`(_ scope: ResolverScope, _ fails: Bool) async throws {
        resolver.register { [runs] () -> Page in
            let run = await yielding(runs.increment())
            if fails { throw Failure() }
            return Page(run)
        }.scope(scope).registration.update { factory in { resolver, args in factory(resolver, args) ?? Page(0) } }
        try await expect(resolver.resolveAsync(Page.self).number, is: fails ? 0 : 1)
        expect(runs.value, is: 1)
    }

    @Test(arguments: scopes)
    func `property blocks run once per instance, after the factory and in order`(_ scope: ResolverScope) async throws {
        register(scope).resolveProperties { _, page in page.notes.append("first \(page.number)") }
            .resolveProperties { _, page, args in page.notes.append("second \(args.optional() ?? 0)") }
        let resolver = resolver, bothAsk = Rendezvous(2)
        let pages =
            try await Tasks.results(2) { _ in
                await bothAsk.arriveAndPass()
                return try await resolver.resolveAsync(Page.self, args: 7)
            } + [try await resolver.resolveAsync(Page.self, args: 7)]
        for page in pages { expect(page.notes.value, is: ["first \(page.number)", "second 7"]) }
        expect(runs.value, is: isKept(scope) ? 1 : 3)
        expect(Set(pages.map(ObjectIdentifier.init)).count, is: runs.value)
    }

    @Test(arguments: [ResolverScope.graph, ResolverScopeCache(), ResolverScope.container, ResolverScopeShare()])
    func `property blocks may resolve the instance that they complete`(_ scope: ResolverScope) async throws {
        let direct = Box<Page?>(nil), through = Box<[Page]>([])
        resolver.register(name: "holder") { r in [try r.tryResolve(Page.self)] }
        register(scope).resolveProperties { r, _ in
            direct.set(try r.tryResolve(Page.self))
            through.set(try r.tryResolve([Page].self, name: "holder"))
        }
        let page = try await resolver.resolveAsync(Page.self)
        expect(direct.value === page)
        expect(through.value.first === page)
        expect(runs.value, is: 1)
    }

    @Test(arguments: scopes)
    func `an error of a property block is reported and nothing is cached`(_ scope: ResolverScope) async throws {
        register(scope).resolveProperties { _, page in if page.number == 1 { throw Failure(number: 1) } }
        let error = await resolver.asyncFailure(Page.self)
        expect(error?.code, is: .factoryFailed)
        expect(error?.underlying as? Failure, is: Failure(number: 1))
        expect(resolver.existing(Page.self), is: nil)
        try await expect(resolver.resolveAsync(Page.self).number, is: 2)
    }
}
