import Resolver
import Testing

/// Resets and new registrations before, during and after a creation.
@Suite struct ResetTests {
    /// A service whose first creation waits for `mayFinish`.
    private final class Parked: Sendable {
        let cache = ResolverScopeCache()
        let resolver = Resolver()
        let made = Box(0)
        let hasStarted = Gate(), mayFinish = Gate()

        init() {
            register()
        }

        func register() {
            resolver.register { [made, hasStarted, mayFinish] () -> Leaf in
                if made.increment() == 1 {
                    hasStarted.open()
                    mayFinish.wait()
                }
                return Leaf()
            }.scope(cache)
        }
    }

    /// - Parameter byReset: whether the scope is reset, or the service is registered again.
    @Test(arguments: [true, false])
    func `a reset during a creation does not wait and its result does not replace a newer instance`(_ byReset: Bool)
        async
    {
        await #expect(processExitsWith: .success) { [byReset] in
            Child.mustEnd()
            let parked = Parked()
            let first = Box<Leaf?>(nil)
            let maker = RunningThread { first.set(parked.resolver.resolve(Leaf.self)) }
            await parked.hasStarted.pass()
            if byReset { parked.cache.reset() } else { parked.register() }
            let second: Leaf = parked.resolver.resolve()
            parked.mayFinish.open()
            maker.join()
            Child.require(first.value != nil, "the caller has its instance")
            Child.require(first.value !== second, "which is not the one that is kept")
            Child.require(second === parked.resolver.resolve(Leaf.self), "kept")
            Child.require(parked.made.value == 2, "two creations, not \(parked.made.value)")
        }
    }

    @Test func `waiters across a reset get the old instance or one new one`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            for _ in 0..<200 {
                let cache = ResolverScopeCache()
                let everybodyIsHere = Rendezvous(6)
                let made = Box<Set<ObjectIdentifier>>([]), alive = Box<[Leaf]>([])
                let isFirst = Box(true)
                let resolver = Resolver()
                resolver.register { () -> Leaf in
                    if isFirst.update({ first in
                        defer { first = false }; return first
                    }) {
                        everybodyIsHere.arriveAndWait()
                    }
                    let leaf = Leaf()
                    alive.append(leaf)
                    _ = made.update { $0.insert(ObjectIdentifier(leaf)) }
                    return leaf
                }.scope(cache)
                let got = Box<[Leaf]>([])
                Threads.run(6) { index in
                    if index == 0 {
                        got.append(resolver.resolve())
                    } else if index == 5 {
                        everybodyIsHere.arrive()
                        cache.reset()
                    } else {
                        everybodyIsHere.arrive()
                        got.append(resolver.resolve())
                    }
                }
                // The thread that arrived last may have been the first in the factory: then no thread waited.
                Child.require(got.value.allSatisfy { made.value.contains(ObjectIdentifier($0)) }, "made by the factory")
                Child.require(made.value.count <= 2, "the old one and a new one, not \(made.value.count)")
            }
        }
    }

    @Test func `concurrent reads and resets get live instances and leave none`() {
        let cache = ResolverScopeCache()
        let alive = Box(0)
        let resolver = Resolver()
        resolver.register { Counted(alive) }.scope(cache)
        let isOver = Box(false)
        Threads.run(9) { index in
            if index == 0 {
                for _ in 0..<30_000 { cache.reset() }
                return isOver.set(true)
            }
            while !isOver.value {
                for _ in 0..<100 { precondition(resolver.resolve(Counted.self).alive === alive) }
            }
        }
        cache.reset()
        #expect(alive.value == 0)
    }

    @Test func `an alias follows a service that is registered again`() {
        let resolver = Resolver()
        resolver.register { Player() }.implements(Role.self).scope(.cached)
        let old: Role = resolver.resolve()
        resolver.register { Player() }.scope(.cached)
        let new: Role = resolver.resolve()
        #expect(new !== old)
        #expect(new === resolver.resolve(Player.self))
        #expect(new === resolver.resolve(Role.self))
    }

    /// - Parameter isUsedBefore: whether the child's alias has been resolved before its service is replaced.
    @Test(arguments: [true, false])
    func `a child's alias resolves to the service that its parent replaces`(_ isUsedBefore: Bool) {
        let main = Resolver()
        main.register { Player() }.implements(Role.self).scope(.cached)
        let before: [Role] = isUsedBefore ? [main.resolve(), main.resolve()] : []
        let front = Resolver(child: main)
        front.register { Player() }.scope(.cached)
        let fronts: Role = front.resolve()
        #expect(fronts === front.resolve(Player.self))
        let own: Role = main.resolve()
        #expect(own !== fronts)
        #expect(own === main.resolve(Player.self))
        #expect(before.allSatisfy { $0 === own })
    }

    @Test func `resetting one scope leaves the others`() {
        let first = ResolverScopeCache(), second = ResolverScopeCache()
        let resolver = Resolver(), other = Resolver()
        for (name, scope) in [("first", first), ("second", second)] {
            resolver.register(name: .init(name)) { Leaf() }.scope(scope)
        }
        other.register { Leaf() }.scope(first)
        let old: Leaf = resolver.resolve(name: "first"), kept: Leaf = resolver.resolve(name: "second")
        let others: Leaf = other.resolve()
        first.reset()
        #expect(old !== resolver.resolve(Leaf.self, name: "first"))
        #expect(kept === resolver.resolve(Leaf.self, name: "second"))
        #expect(others !== other.resolve(Leaf.self), "a scope is reset in every resolver")
    }

    @Test func `a reset releases in reverse order of creation and holds no lock`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let cache = ResolverScopeCache()
            let order = Box<[String]>([])
            let resolver = Resolver()
            func register(_ name: String, needs: String?) {
                resolver.register(name: .init(name)) { r -> DeinitCallback in
                    if let needs { _ = r.resolve(DeinitCallback.self, name: .init(needs)) }
                    return DeinitCallback {
                        order.append(name)
                        // Another thread can use the resolver, so no lock is held here.
                        Threads.run(1) { _ in
                            _ = resolver.resolve(Leaf.self)
                            resolver.register { OtherLeaf() }.scope(cache)
                            _ = resolver.resolve(OtherLeaf.self)
                        }
                    }
                }.scope(cache)
            }
            resolver.register { Leaf() }.scope(cache)
            register("database", needs: nil)
            register("repository", needs: "database")
            register("model", needs: "repository")
            _ = resolver.resolve(DeinitCallback.self, name: "model")
            cache.reset()
            Child.require(order.value == ["model", "repository", "database"], "\(order.value)")
        }
    }

    @Test func `a change of scope releases the instance of the old scope`() {
        let alive = Box(0)
        let resolver = Resolver()
        let options = resolver.register { Counted(alive) }.scope(.cached)
        _ = resolver.resolve(Counted.self)
        options.scope(.unique)
        #expect(alive.value == 0)
        #expect(resolver.resolve(Counted.self) !== resolver.resolve(Counted.self))
    }

    @Test func `an alias follows a change of scope`() {
        let resolver = Resolver()
        let options = resolver.register { Player() }.implements(Role.self).scope(.application)
        for _ in 0..<3 { _ = resolver.resolve(Role.self) }
        options.scope(.unique)
        #expect(resolver.resolve(Role.self) !== resolver.resolve(Role.self))
    }

    @Test func `the first static resolve fixes the root`() async {
        await #expect(processExitsWith: .success) {
            Resolver.register { Leaf() }
            _ = Resolver.resolve(Leaf.self)
            Resolver.main = Resolver()
            Child.require(Resolver.optional(Leaf.self) != nil, "the root is still the first resolver")
            Resolver.root = Resolver.main
            Child.require(Resolver.optional(Leaf.self) == nil, "until it is assigned")
        }
    }

    @Test func `the root is the main resolver at the first static resolve`() async {
        await #expect(processExitsWith: .success) {
            Resolver.main = Resolver()
            Resolver.register { Leaf() }
            Child.require(Resolver.optional(Leaf.self) != nil, "the root is the new main")
        }
    }
}
