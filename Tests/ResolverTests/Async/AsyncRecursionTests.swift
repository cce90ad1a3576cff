import Resolver
import Testing

/// Asynchronous services with arguments that resolve themselves.
@Suite struct AsyncRecursionTests {
    private final class Tree: Sendable {
        let number: Int
        let depth: Int

        init(_ number: Int, _ depth: Int) {
            self.number = number
            self.depth = depth
        }
    }

    /// Registers a tree that needs the tree with the number that `next` returns.
    private static func resolver(
        _ scope: ResolverScope, _ next: @escaping @Sendable (Int) -> Int?
    ) -> (resolver: Resolver, options: ResolverOptions<Tree>) {
        let resolver = Resolver()
        let options = resolver.register { r, args -> Tree in
            let number: Int = try args.tryGet()
            guard let next = next(number) else { return Tree(number, 1) }
            let inner = try await r.resolveAsync(Tree.self, args: next)
            return Tree(number, inner.depth + 1)
        }.scope(scope)
        return (resolver, options)
    }

    @Test func `a recursive service may be a thousand levels deep and the outermost instance is cached`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            for (kind, scope) in ResolverScope.oneOfEachKind where kind != "graph" {
                let (resolver, _) = AsyncRecursionTests.resolver(scope) { $0 == 0 ? nil : $0 - 1 }
                do {
                    let tree = try await resolver.resolveAsync(Tree.self, args: 999)
                    Child.require(tree.number == 999 && tree.depth == 1000, "\(kind): \(tree.depth)")
                    let kept = resolver.existing(Tree.self)
                    Child.require(kept == nil || kept === tree, "\(kind)")
                    Child.require((kept == nil) == (kind == "unique"), "\(kind)")
                } catch {
                    Child.require(false, "\(kind): \(error)")
                }
            }
        }
    }

    @Test func `the caller of a recursive graph service gets the outermost instance`() async throws {
        let (resolver, _) = AsyncRecursionTests.resolver(.graph) { $0 == 0 ? nil : $0 - 1 }
        let tree = try await resolver.resolveAsync(Tree.self, args: 3)
        #expect(tree.number == 3)
        #expect(tree.depth == 4)
    }

    @Test(.isDeepRecursion) func `an endless recursion is an error in any scope`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            for (kind, scope) in ResolverScope.oneOfEachKind {
                let (resolver, _) = AsyncRecursionTests.resolver(scope) { $0 + 1 }
                let error = await resolver.asyncFailure(Tree.self, args: 0)
                Child.require(error?.code == .tooDeep, "\(kind): \(String(describing: error?.code))")
                Child.require((error?.path.count ?? 0) >= 10_000, "\(kind): \(error?.path.count ?? 0)")
            }
        }
    }

    @Test func `with scopeOnArguments only a recursion to the same argument is a dependency cycle`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            for (kind, scope) in ResolverScope.oneOfEachKind where kind != "unique" && kind != "graph" {
                let (resolver, options) = AsyncRecursionTests.resolver(scope) {
                    $0 < 100 ? $0 + 1 : $0 == 200 ? nil : 50
                }
                options.scopeOnArguments()
                for first in [0, 100, 100, 50] {
                    let error = await resolver.asyncFailure(Tree.self, args: first)
                    Child.require(error?.code == .circularDependency, "\(kind): \(String(describing: error))")
                }
                let end = await resolver.asyncFailure(Tree.self, args: 200)
                Child.require(end == nil, "\(kind): \(String(describing: end))")

                let (line, lineOptions) = AsyncRecursionTests.resolver(scope) { $0 == 0 ? nil : $0 - 1 }
                lineOptions.scopeOnArguments()
                do {
                    let tree = try await line.resolveAsync(Tree.self, args: 999)
                    let inner = try await line.resolveAsync(Tree.self, args: 500)
                    Child.require(tree.depth == 1000 && inner.depth == 501, "\(kind): \(tree.depth), \(inner.depth)")
                } catch {
                    Child.require(false, "\(kind): \(error)")
                }
            }
        }
    }

    @Test(.isDeepRecursion) func `with scopeOnArguments an endless recursion is an error`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let (resolver, options) = AsyncRecursionTests.resolver(ResolverScopeCache()) { $0 < 30_000 ? $0 + 1 : nil }
            options.scopeOnArguments()
            let error = await resolver.asyncFailure(Tree.self, args: 0)
            Child.require(error?.code == .tooDeep, "\(String(describing: error?.code))")
        }
    }

    @Test func `a call without arguments inside one with arguments is a cycle only when repeated`() async throws {
        let runs = Box(0)
        let resolver = Resolver()
        resolver.register { r, args -> Leaf in
            runs.increment()
            _ = try await r.resolveAsync(Leaf.self)
            return Leaf()
        }.scope(.unique)
        let error = try await #require(throws: ResolutionError.self) {
            try await resolver.resolveAsync(Leaf.self, args: 1)
        }
        #expect(error.code == .circularDependency)
        #expect(runs.value == 2)
    }
}
