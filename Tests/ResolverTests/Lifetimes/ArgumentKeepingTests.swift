import Resolver
import Testing

/// `scopeOnArguments`: creation, caching and release of one instance per argument.
@Suite struct ArgumentKeepingTests {
    @Test(arguments: ["reset", "register", "unregister"])
    func `a change by a release hook returns when the instances of all arguments are released`(_ change: String) {
        let log = Box<[String]>([]), cache = ResolverScopeCache(), resolver = Resolver()
        func register() -> ResolverOptions<Box<Int>> {
            resolver.register { (_, args) in Box(args()) }.scope(cache).scopeOnArguments(Int.self)
        }
        register().onRelease { [unowned resolver] (number: Box<Int>) in
            log.append("\(number.value)")
            guard number.value == 3 else { return }
            switch change {
            case "reset": cache.reset()
            case "register": resolver.register { Box(0) }
            default: resolver.unregister(Box<Int>.self)
            }
            log.append("changed")
        }
        for number in 1...3 { _ = resolver.resolve(Box<Int>.self, args: number) }
        cache.reset()
        expect(log.value, is: ["3", "2", "1", "changed"])
        cache.reset()
        expect(log.value.count, is: 4, "each hook runs once")
    }

    @Test func `a comparison that always resets and resolves lets the call end`() async {
        await #expect(processExitsWith: .success) {
            let resolver = Resolver(), isBusy = Box(false), alive = Box(0)
            resolver.register { (_, _) in Counted(alive) }.scope(.cached).scopeOnArguments()
            @Sendable func resolve(_ number: Int) {
                _ = resolver.resolve(Counted.self, args: CallingArgument(number: number, onCompare: compared))
            }
            @Sendable func compared() {
                if isBusy.exchange(true) { return }
                resolver.reset(Counted.self)
                resolve(77)
                isBusy.set(false)
            }
            for number in 1...20 { resolve(number) }
            isBusy.set(true)
            resolver.reset(Counted.self)
            Child.require(alive.value == 0, "\(alive.value) are alive")
        }
    }

    @Test func `two threads that need each other's argument both get an error`() async {
        await #expect(processExitsWith: .success) {
            let bothInside = Rendezvous(2), codes = Box<[ResolutionError.Code]>([]), resolver = Resolver()
            resolver.register { (r, args) -> Leaf in
                bothInside.arriveAndWait()
                return try r.tryResolve(args: 1 - args.get() as Int)
            }.scope(.cached).scopeOnArguments()
            Threads.run(2) { thread in
                if let error = resolver.failure(Leaf.self, args: thread) { codes.append(error.code) }
            }
            Child.require(codes.value == [.circularDependency, .circularDependency], "\(codes.value)")
        }
    }

    @Test func `comparing an argument may resolve, register and reset`() async {
        await #expect(processExitsWith: .success) {
            let cache = ResolverScopeCache(), resolver = Resolver(), isMeddling = Box(true), meddled = Box(0)
            resolver.register { Leaf() }.scope(cache).scopeOnArguments()
            let meddle: @Sendable () -> Void = {
                // Nested comparisons do not meddle.
                guard isMeddling.exchange(false) else { return }
                defer { isMeddling.set(true) }
                let round = meddled.increment()
                // Another thread would block here if a lock were held.
                Threads.run(1) { _ in
                    _ = resolver.resolve(Leaf.self, args: round)
                    _ = resolver.resolve(Leaf.self, args: CallingArgument(number: round))
                    if round % 3 == 0 { cache.reset() }
                    if round % 5 == 0 { resolver.reset(scope: cache) }
                    if round == 7 { resolver.register { Leaf() }.scope(cache).scopeOnArguments() }
                }
            }
            @Sendable func resolve(_ number: Int) -> Leaf {
                resolver.resolve(args: CallingArgument(number: number, onCompare: meddle, onHash: meddle))
            }
            for number in 0..<10 { _ = resolve(number) }
            Child.require(meddled.value > 20, "\(meddled.value) times are too few")
            isMeddling.set(false)
            let last = resolve(0)
            Child.require(resolve(0) === last, "works on")
        }
    }

    /// The second argument is compared with the first several times, because their hashes are equal. It is resolved
    /// during one comparison.
    @Test(arguments: [ResolverScope.cached, .container], 1...6)
    func `an argument that is resolved during its comparison has one instance`(_ scope: ResolverScope, _ moment: Int) {
        let resolver = Resolver(), comparisons = Box(Int.min), meanwhile = Box<Leaf?>(nil)
        resolver.register { Leaf() }.scope(scope).scopeOnArguments()
        let meddle: @Sendable () -> Void = {
            guard comparisons.increment() == moment else { return }
            meanwhile.set(resolver.resolve(Leaf.self, args: CallingArgument(number: 2)))
        }
        _ = resolver.resolve(Leaf.self, args: CallingArgument(number: 1, onCompare: meddle))
        comparisons.set(0)
        let leaf: Leaf = resolver.resolve(args: CallingArgument(number: 2))
        if let meanwhile = meanwhile.value { expect(leaf === meanwhile) }
        expect(resolver.resolve(Leaf.self, args: CallingArgument(number: 2)) === leaf)
    }
}
