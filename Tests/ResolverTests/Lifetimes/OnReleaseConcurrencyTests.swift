import Resolver
import Testing

/// Release hooks that use the resolver, that throw, and that run on several threads.
@Suite struct OnReleaseConcurrencyTests {
    @Test func `a blocked hook does not block other threads`() async {
        await #expect(processExitsWith: .success) {
            let hook = Pause(), released = Box(0), cache = ResolverScopeCache(), resolver = Resolver()
            let register: @Sendable () -> Void = {
                resolver.register { Leaf() }.implements(AnyObject.self).scope(cache).onRelease { _ in
                    if released.increment() == 1 { hook.block() }
                }
            }
            register()
            resolver.register { OtherLeaf() }.scope(cache)
            let first: Leaf = resolver.resolve()
            _ = resolver.resolve(OtherLeaf.self)
            Threads.run {
                cache.reset()
            } beside: {
                hook.hasBegun.wait()
                let second: Leaf = resolver.resolve()
                Child.require(second !== first, "a new one")
                Child.require(resolver.resolve(AnyObject.self) === second, "kept")
                _ = resolver.resolve(OtherLeaf.self)
                register()
                Child.require(released.value == 2, "the second one is released by its replacement")
                _ = resolver.resolve(Leaf.self)
                resolver.reset(scope: cache)
                Child.require(released.value == 3, "the third one by the reset of the resolver")
                _ = resolver.resolve(Leaf.self)
                cache.reset()
                Child.require(released.value == 4, "the fourth one by the reset of the scope")
                resolver.purgeExpired()
                resolver.reset(.all)
                hook.mayEnd.open()
            }
            Child.require(released.value == 4, "once for each")
        }
    }

    @Test(arguments: KeepingScope.ofOneResolver)
    func `eight threads that reset concurrently release each instance once`(_ keeping: KeepingScope) {
        let released = Box<[Int: Int]>([:]), made = Box(0), scope = keeping.make(), resolver = Resolver()
        let rounds = Sanitizer.rounds(50)
        for name in 0..<20 {
            resolver.register(name: .init("\(name)")) { made.increment() }.scope(scope)
                .onRelease { number in released.update { $0[number, default: 0] += 1 } }
        }
        for _ in 0..<rounds {
            for name in 0..<20 { _ = resolver.resolve(Int.self, name: .init("\(name)")) }
            Threads.run(8) { thread in
                if thread % 2 == 0 { resolver.reset(scope: scope) } else { resolver.reset(.scopes) }
            }
        }
        #expect(made.value == 20 * rounds)
        #expect(released.value == Dictionary(uniqueKeysWithValues: (1...20 * rounds).map { ($0, 1) }))
    }

    @Test func `instances created during concurrent resets are released at most once`() {
        let released = Box<[Int: Int]>([:]), made = Box(0), last = Box(0), cache = ResolverScopeCache()
        do {
            let resolver = Resolver()
            resolver.register { made.increment() }.scope(cache)
                .onRelease { number in released.update { $0[number, default: 0] += 1 } }
            Threads.run(8) { thread in
                for _ in 0..<1000 {
                    switch thread {
                    case 0: cache.reset()
                    case 1: resolver.reset(scope: cache)
                    case 2: resolver.reset(.scopes)
                    default: _ = resolver.resolve(Int.self)
                    }
                }
            }
            last.set(resolver.resolve())
        }
        // An instance that was created during a reset is not cached and not released. It may be younger than the last
        // one.
        #expect(released.value.values.allSatisfy { $0 == 1 })
        #expect(released.value[last.value] == 1)
        #expect(released.value.keys.allSatisfy { (1...made.value).contains($0) })
    }
}
