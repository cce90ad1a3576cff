import Resolver
import Testing

/// One instance for each value of the arguments, while arguments that keep nothing are forgotten.
@Suite struct ArgumentPruningTests {
    @Test func `an argument whose factory resolves three hundred failing arguments has one instance`() {
        let resolver = Resolver(), made = Box(0)
        resolver.register { (r, args) -> Leaf? in
            if args() > 0 { return nil }
            for number in 1...300 { _ = r.optional(Leaf.self, args: number) }
            made.increment()
            return Leaf()
        }.scope(.cached).scopeOnArguments()
        let first: Leaf = resolver.resolve(args: 0)
        #expect(resolver.resolve(Leaf.self, args: 0) === first)
        #expect(made.value == 1)
    }

    /// One thread makes objects that it drops at once, each for an argument of its own, so the arguments of dropped objects
    /// are forgotten again and again. Another one drops what it has for the same arguments each time, and makes it anew.
    @Test func `a shared object created again while other arguments are pruned is shared`() {
        let resolver = Resolver(), isDone = Box(false), differences = Box(0)
        resolver.register { Leaf() }.scope(.shared).scopeOnArguments()
        Threads.run(
            {
                var number = 0
                while !isDone.value {
                    number -= 1
                    _ = resolver.resolve(Leaf.self, args: number)
                }
            },
            {
                for _ in 0..<8000 {
                    let held = (0..<16).map { resolver.resolve(Leaf.self, args: $0) }
                    for number in 0..<16 where resolver.resolve(Leaf.self, args: number) !== held[number] {
                        differences.increment()
                    }
                }
                isDone.set(true)
            })
        #expect(differences.value == 0)
    }
}
