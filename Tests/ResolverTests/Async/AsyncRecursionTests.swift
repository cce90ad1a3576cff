import Resolver
import Testing

@Suite struct AsyncRecursionTests {
    private final class Tree: Sendable {
        let number: Int, depth: Int
        init(_ number: Int, _ depth: Int) { (self.number, self.depth) = (number, depth) }
    }

    /// Registers a tree that needs the tree with the number that `next` returns.
    private static func resolver(
        _ scope: ResolverScope, onArguments: Bool = false, _ next: @escaping @Sendable (Int) -> Int?
    ) -> Resolver {
        let resolver = Resolver()
        let options = resolver.register { r, args -> Tree in
            let number: Int = try args.tryGet()
            guard let next = next(number) else { return Tree(number, 1) }
            let inner = try await r.resolveAsync(Tree.self, args: next)
            return Tree(number, inner.depth + 1)
        }.scope(scope)
        if onArguments { options.scopeOnArguments() }
        return resolver
    }

    @Test func `a recursive service may be a thousand levels deep and its caller gets the outermost instance`() async {
        await #expect(processExitsWith: .success) {
            for (kind, scope) in ResolverScope.oneOfEachKind {
                let resolver = AsyncRecursionTests.resolver(scope) { $0 == 0 ? nil : $0 - 1 }
                let tree = try await resolver.resolveAsync(Tree.self, args: 999)
                expect([tree.number, tree.depth], is: [999, 1000], "\(kind)")
                let isKept = kind != "unique" && kind != "graph"
                expect(resolver.existing(Tree.self) === (isKept ? tree : nil), "\(kind)")
            }
        }
    }

    @Test func `a task does not get the inner instance of another task's factory`() async throws {
        let resolver = Resolver(), hasInner = Gate(), mayEnd = Gate()
        resolver.register { r, args -> Tree in
            let number: Int = try args.tryGet()
            if number == 0 { return Tree(0, 1) }
            let inner = try await r.resolveAsync(Tree.self, args: 0)
            if number == 2 {
                hasInner.open()
                await mayEnd.pass()
            }
            return Tree(number, inner.depth + 1)
        }
        resolver.register { r -> [Tree] in
            async let first = r.resolveAsync(Tree.self, args: 2)
            await hasInner.pass()
            let second = try await r.resolveAsync(Tree.self, args: 1)
            mayEnd.open()
            return [second, try await first]
        }
        let trees = try await resolver.resolveAsync([Tree].self)
        expect(trees[0].number == 1 && trees[0] === trees[1])
    }

    @Test(.isDeepRecursion) func `an endless recursion is an error in any scope`() async {
        await #expect(processExitsWith: .success) {
            let onArguments = (name: "on arguments", scope: ResolverScopeCache() as ResolverScope)
            for (kind, scope) in ResolverScope.oneOfEachKind + [onArguments] {
                let resolver = AsyncRecursionTests.resolver(scope, onArguments: kind == onArguments.name) { $0 + 1 }
                let error = await resolver.asyncFailure(Tree.self, args: 0)
                expect(error?.code, is: .tooDeep, "\(kind)")
                expect((error?.path.count ?? 0) >= 10_000, "\(kind)")
            }
            guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
            let resolver = Resolver(), codes = Box<[ResolutionError.Code?]>([])
            resolver.register { r async -> Leaf in
                Task.immediate { codes.append(await r.asyncFailure(Leaf.self)?.code) }
                return Leaf()
            }.scope(.unique)
            _ = try await resolver.resolveAsync(Leaf.self)
            expect(Set(codes.value.compactMap(\.self)), is: [.tooDeep], "in immediate tasks")
        }
    }

    @Test func `two tasks begin a recursion with arguments from both ends`() async throws {
        let resolver = Resolver(), cache = ResolverScopeCache(), bothBegin = Rendezvous(2)
        for (name, other) in [("a", "b"), ("b", "a")] {
            resolver.register(name: .init(name)) { r, args -> Tree in
                let number: Int = try args.tryGet()
                if number == 0 { return Tree(0, 1) }
                if number == 2 { await bothBegin.arriveAndPass() }
                let inner = try await r.resolveAsync(Tree.self, name: .init(other), args: number - 1)
                return Tree(number, inner.depth + 1)
            }.scope(cache)
        }
        async let first = resolver.resolveAsync(Tree.self, name: "a", args: 2)
        async let second = resolver.resolveAsync(Tree.self, name: "b", args: 2)
        try await expect([first.number, second.number], is: [2, 2])
    }

    @Test func `with scopeOnArguments only a recursion to the same argument is a dependency cycle`() async {
        await #expect(processExitsWith: .success) {
            for (kind, scope) in ResolverScope.oneOfEachKind where kind != "unique" && kind != "graph" {
                let resolver = AsyncRecursionTests.resolver(scope, onArguments: true) {
                    $0 < 100 ? $0 + 1 : $0 == 200 ? nil : 50
                }
                for first in [0, 100, 100, 50] {
                    let error = await resolver.asyncFailure(Tree.self, args: first)
                    expect(error?.code, is: .circularDependency, "\(kind)")
                }
                await expect(resolver.asyncFailure(Tree.self, args: 200), is: nil, "\(kind)")

                let line = AsyncRecursionTests.resolver(scope, onArguments: true) { $0 == 0 ? nil : $0 - 1 }
                let outer = try await line.resolveAsync(Tree.self, args: 999)
                let inner = try await line.resolveAsync(Tree.self, args: 500)
                expect([outer.depth, inner.depth], is: [1000, 501], "\(kind)")
            }
        }
    }

    @Test(arguments: [false, true])
    func `the outer instance without arguments is shared, not the inner one with some`(_ isAsync: Bool) async throws {
        final class Node: Sendable {
            let inner: Node?
            init(_ inner: Node?) { self.inner = inner }
        }
        let resolver = Resolver()
        if isAsync {
            resolver.register { (r, args) async throws -> Node in
                Node((args.optional() as Int?) == nil ? try await r.resolveAsync(Node.self, args: 1) : nil)
            }
            resolver.register { r async throws -> [Node] in [try await r.resolveAsync(), try await r.resolveAsync()] }
        } else {
            resolver.register { (r, args) in
                Node((args.optional() as Int?) == nil ? r.resolve(Node.self, args: 1) : nil)
            }
            resolver.register { r -> [Node] in [r.resolve(), r.resolve()] }
        }
        let nodes = try await resolver.resolveAsync([Node].self)
        expect(nodes[0].inner != nil)
        expect(nodes[0] === nodes[1])
    }

    @Test func `a factory that resets its scope and needs itself is a dependency cycle`() async {
        await #expect(processExitsWith: .success) {
            for isDirect in [true, false] {
                let resolver = Resolver(), scope = ResolverScopeCache(), runs = Box(0)
                resolver.register { r in
                    runs.increment()
                    scope.reset()
                    if isDirect { return try await r.resolveAsync(Leaf.self) }
                    return try await r.resolveAsync(Holder<Leaf>.self).part
                }.scope(scope)
                resolver.register { r in Holder(try await r.resolveAsync(Leaf.self)) }.scope(scope)
                let error = await resolver.asyncFailure(Leaf.self)
                expect(error?.code, is: .circularDependency)
                expect(error?.path.count, is: isDirect ? 2 : 3)
                expect(error?.path.first?.service, is: error?.path.last?.service)
                expect(runs.value, is: 1)
            }
        }
    }

    @Test func `a recursion with arguments across two kept services is no dependency cycle`() async {
        await #expect(processExitsWith: .success) {
            let resolver = Resolver()
            resolver.register { r, args -> Tree in
                let number: Int = try args.tryGet()
                guard number > 0 else { return Tree(0, 1) }
                let inner = try await r.resolveAsync(Holder<Tree>.self, args: number - 1)
                return Tree(number, inner.part.depth + 1)
            }.scope(.cached)
            resolver.register { r, args in
                let number: Int = try args.tryGet()
                return Holder(try await r.resolveAsync(Tree.self, args: number))
            }.scope(.cached)
            let tree = try await resolver.resolveAsync(Tree.self, args: 3)
            expect([tree.number, tree.depth], is: [3, 4])
            expect(resolver.existing(Tree.self) === tree)
        }
    }
}
