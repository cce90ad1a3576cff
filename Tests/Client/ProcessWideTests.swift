import Resolver
import Testing

@Suite struct ProcessWideTests {
    @Test func `reset creates a new main that is also root, and leaves a scope of an app`() async {
        await #expect(processExitsWith: .success) {
            Resolver.register { Leaf() }
            let old = Resolver.main, kept = Resolver()
            kept.register { Leaf() }.scope(.session)
            let first: Leaf = kept.resolve()
            Resolver.root = Resolver()
            ResolverScope.cached.reset()
            Resolver.reset()
            expect(Resolver.main !== old)
            expect(Resolver.root === Resolver.main)
            expect(Resolver.optional(Leaf.self), is: nil)
            expect(old.optional(Leaf.self) != nil)
            expect(kept.resolve(Leaf.self) === first)
        }
    }

    @Test func `the text of an error is read without choosing the root`() async {
        await #expect(processExitsWith: .success) {
            let other = Resolver()
            other.register { Leaf() }
            let error = #expect(throws: ResolutionError.self) { try Resolver.main.tryResolve(Leaf.self) }
            expect(error?.suggestions.contains { $0.contains("which this resolver does not search") }, is: true)
            Resolver.main = other
            expect(Resolver.root === other)
        }
    }
}
