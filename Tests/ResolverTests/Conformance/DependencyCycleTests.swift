import Resolver
import Testing

@Suite struct DependencyCycleTests {
    @Test(arguments: [0, 30])
    func `a resolution cycle shares the outermost instance of a recursive service`(_ others: Int) {
        let resolver = Resolver()
        resolver.register { r, args -> Holder<Int> in
            let depth: Int = args()
            if depth > 0 { _ = r.resolve(Holder<Int>.self, args: depth - 1) }
            return Holder(depth)
        }
        for index in 0..<others { resolver.register(name: .init("\(index)")) { Leaf() } }
        resolver.register { r -> [Holder<Int>] in
            for index in 0..<others { _ = r.resolve(Leaf.self, name: .init("\(index)")) }
            return [r.resolve(args: 1), r.resolve(args: 1)]
        }
        let pair: [Holder<Int>] = resolver.resolve()
        expect(pair[0] === pair[1])
        expect(pair[0].part, is: 1)
    }

    /// Each call succeeds alone: the folder needs a quota, and the quota needs another folder, which needs nothing.
    @Test func `a recursive service and one that needs it may be created by two threads at once`() async {
        await #expect(processExitsWith: .success) {
            let resolver = Resolver(), isInFolder = Gate(), isInQuota = Gate()
            resolver.register { resolver, args -> Box<Int> in
                let depth: Int = args()
                if depth == 0 { return Box(0) }
                isInFolder.open()
                isInQuota.wait()
                _ = try resolver.tryResolve(Leaf.self)
                return Box(depth)
            }.scope(.cached)
            resolver.register { r in
                Leaf(after: isInQuota.open(), isInFolder.wait(), try r.tryResolve(Box<Int>.self, args: 0))
            }.scope(.cached)
            let errors = await Threads.results(
                { resolver.failure(Box<Int>.self, args: 3) }, { resolver.failure(Leaf.self) })
            Child.require(errors.allSatisfy { $0 == nil }, "\(errors)")
            Child.require(resolver.existing(Leaf.self) != nil, "the quota is kept")
            Child.require(resolver.existing(Box<Int>.self)?.value == 3, "the outermost folder is kept")
        }
    }

    /// The scope has released the first instance, or another has left it in the resolution cycle, so it does not complete the second.
    @Test(arguments: [false, true])
    func `a service that needs itself when created again in one call is a dependency cycle`(_ getsScope: Bool) {
        let resolver = Resolver(), scope = ResolverScopeCache(), runs = Box(0)
        let options = resolver.register { r -> Leaf in
            if runs.increment() == 2 { _ = try r.tryResolve(Leaf.self) }
            return Leaf()
        }.resolveProperties { _, _ in }
        if !getsScope { options.scope(scope) }
        resolver.register { r -> OtherLeaf in
            _ = try r.tryResolve(Leaf.self)
            if getsScope { options.scope(scope) } else { scope.reset() }
            _ = try r.tryResolve(Leaf.self)
            return OtherLeaf()
        }
        expect(resolver.failure(OtherLeaf.self)?.code, is: .circularDependency)
    }

    @Test func `a graph instance is shared through a child that is an isolating resolver`() {
        let main = Resolver()
        main.register { Player() }.implements(Role.self)
        let front = Resolver(child: Resolver(isolating: main))
        front.register { r -> Leaf in
            let player = r.resolve(Player.self)
            expect(r.resolve(Role.self) === player)
            expect(r.existing(Player.self) === player)
            return Leaf()
        }
        _ = front.resolve(Leaf.self)
    }
}
