import Resolver
import Testing

/// Memory after many different arguments with one instance each.
@Suite struct ArgumentMemoryTests {
    @Test(.measuresHeap) func `a hundred thousand arguments that are reset do not grow the heap`() async {
        await #expect(processExitsWith: .success) {
            let resolver = Resolver(), last = Box(0)
            resolver.register { (_, args) -> Int in args() }.scope(.cached).scopeOnArguments()
            MemoryTests.requireFlat("100 000 arguments") {
                for _ in 0..<100_000 { _ = resolver.resolve(Int.self, args: last.increment()) }
                resolver.reset(scope: .cached)
            }
        }
    }

    @Test(.measuresHeap) func `a hundred thousand arguments without an instance do not grow the heap`() async {
        await #expect(processExitsWith: .success) {
            let resolver = Resolver(), last = Box(0)
            resolver.register(Leaf.self) { nil }.scope(.cached).scopeOnArguments()
            MemoryTests.requireFlat("100 000 arguments that nothing is made for", allowing: 64 << 10) {
                for _ in 0..<100_000 { _ = resolver.optional(Leaf.self, args: last.increment()) }
            }
        }
    }

    @Test(.measuresHeap) func `a hundred thousand arguments of released shared objects do not grow the heap`() async {
        await #expect(processExitsWith: .success) {
            let resolver = Resolver(), last = Box(0)
            resolver.register { Leaf() }.scope(.shared).scopeOnArguments()
            MemoryTests.requireFlat("100 000 arguments of released objects", allowing: 64 << 10) {
                for _ in 0..<100_000 { _ = resolver.resolve(Leaf.self, args: last.increment()) }
            }
        }
    }
}
