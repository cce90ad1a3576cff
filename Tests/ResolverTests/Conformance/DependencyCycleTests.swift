import Resolver
import Testing

@Suite struct DependencyCycleTests {
    @Test func `a resolver may create a service from its child's service of the same key`() throws {
        let main = Resolver()
        main.register(name: "greeting") { "hello" }
        let front = Resolver(child: main)
        front.register(name: "greeting") { try main.tryResolve(String.self, name: "greeting").uppercased() }
        #expect(try front.tryResolve(String.self, name: "greeting") == "HELLO")
    }

    @Test(arguments: [ResolverScope.cached, .container, .shared, .application, .graph, .unique])
    func `a recursive service may resolve itself with arguments in any scope`(_ scope: ResolverScope) throws {
        let resolver = Resolver()
        resolver.register { r, args -> Box<[Int]> in
            let depth: Int = try args.tryGet()
            return Box([depth] + (depth == 0 ? [] : try r.tryResolve(Box<[Int]>.self, args: depth - 1).value))
        }.scope(scope)
        let levels: Box<[Int]> = try resolver.tryResolve(args: 3)
        #expect(levels.value == [3, 2, 1, 0])
        #expect(resolver.existing(Box<[Int]>.self) == nil || resolver.existing(Box<[Int]>.self) === levels)
    }

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
        #expect(pair[0] === pair[1])
        #expect(pair[0].part == 1)
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

    @Test func `a search visits a resolver with many paths to it once`() {
        var resolver = Resolver()
        for _ in 0..<60 {
            let left = Resolver(child: resolver), right = Resolver(child: resolver), next = Resolver(child: left)
            next.add(child: right)
            resolver = next
        }
        #expect(resolver.optional(Leaf.self) == nil)
    }

    /// The scope has released the first instance, so the second creation is not completed by it.
    @Test func `a service that needs itself when created again in one call is a dependency cycle`() throws {
        let resolver = Resolver(), scope = ResolverScopeCache(), runs = Box(0)
        resolver.register { r -> Leaf in
            if runs.increment() == 2 { _ = try r.tryResolve(Leaf.self) }
            return Leaf()
        }.scope(scope).resolveProperties { _, _ in }
        resolver.register { r -> OtherLeaf in
            _ = try r.tryResolve(Leaf.self)
            scope.reset()
            _ = try r.tryResolve(Leaf.self)
            return OtherLeaf()
        }
        #expect(resolver.failure(OtherLeaf.self)?.code == .circularDependency)
    }

    @Test func `an alias of itself is a dependency cycle`() {
        let resolver = Resolver()
        resolver.register { Player() as Role }.implements(Role.self)
        #expect(resolver.failure(Role.self)?.code == .circularDependency)
        #expect(resolver.existing(Role.self) == nil)
    }

    @Test func `a graph instance is shared through a child that is an isolating resolver`() {
        let main = Resolver()
        main.register { Player() }.implements(Role.self)
        let front = Resolver(child: Resolver(isolating: main))
        front.register { r -> Leaf in
            let player = r.resolve(Player.self)
            #expect(r.resolve(Role.self) === player)
            #expect(r.existing(Player.self) === player)
            return Leaf()
        }
        _ = front.resolve(Leaf.self)
    }
}
