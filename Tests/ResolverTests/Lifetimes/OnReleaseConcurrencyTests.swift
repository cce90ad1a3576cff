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
                Child.require(second !== first && resolver.resolve(AnyObject.self) === second, "a new one is kept")
                _ = resolver.resolve(OtherLeaf.self)
                let releases = [register, { resolver.reset(scope: cache) }, { cache.reset() }]
                for (number, release) in releases.enumerated() {
                    _ = resolver.resolve(Leaf.self)
                    release()
                    Child.require(released.value == number + 2, "release \(number) goes on")
                }
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
        expect(made.value, is: 20 * rounds)
        expect(released.value, is: Dictionary(uniqueKeysWithValues: (1...20 * rounds).map { ($0, 1) }))
    }
}
