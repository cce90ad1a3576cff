import Resolver
import Testing

@Suite struct DefaultScopeTests {
    @Test func `the six built-in scopes have public classes, and singleton is the application scope`() {
        let scopes: [ResolverScope] = [.application, .cached, .container, .graph, .shared, .unique]
        expect(Set(scopes.map { ObjectIdentifier($0) }).count, is: 6)
        let classes: [ResolverScope.Type] = [
            ResolverScopeCache.self, ResolverScopeCache.self, ResolverScopeContainer.self, ResolverScopeGraph.self,
            ResolverScopeShare.self, ResolverScopeUnique.self,
        ]
        expect(scopes.map { ObjectIdentifier(type(of: $0)) }, is: classes.map { ObjectIdentifier($0) })
        expect(ResolverScopeUnique.self == ResolverScope.self)
        expect(ResolverScope.singleton === ResolverScope.application)
    }

    @Test func `a new scope of the class of unique keeps nothing, and its services share their parts in a cycle`() {
        let resolver = Resolver()
        resolver.register { OtherLeaf() }
        resolver.register { r in Holder<OtherLeaf>(r.resolve()) }.scope(ResolverScopeUnique())
        resolver.register { r -> [Holder<OtherLeaf>] in [r.resolve(), r.resolve()] }
        let holders: [Holder<OtherLeaf>] = resolver.resolve()
        expect(holders[0] !== holders[1])
        expect(holders[0].part === holders[1].part)
    }

    @Test func `the process's default scope applies to containers without one, also while threads assign it`() async {
        await #expect(processExitsWith: .success) {
            let plain = Resolver(), own = Resolver()
            own.defaultScope = .graph
            plain.register(name: "before") { Leaf() }
            Resolver.defaultScope = .cached
            for resolver in [plain, own] { resolver.register { Leaf() } }
            Resolver.register { Leaf() }
            Child.require(Resolver.defaultScope === ResolverScope.cached, "the default is what was assigned")
            Child.require(Resolver.resolve(Leaf.self) === Resolver.resolve(Leaf.self), "cached in the root")
            Child.require(plain.resolve(Leaf.self) === plain.resolve(Leaf.self), "cached by default")
            Child.require(own.resolve(Leaf.self) !== own.resolve(Leaf.self), "its own default comes first")
            let before: Leaf = plain.resolve(name: "before")
            Child.require(plain.resolve(Leaf.self, name: "before") !== before, "it stays what it was")
            own.defaultScope = nil
            own.register { OtherLeaf() }
            Child.require(own.resolve(OtherLeaf.self) === own.resolve(OtherLeaf.self), "it has none any more")

            let scopes: [ResolverScope] = [.unique, .cached, ResolverScopeCache()]
            Threads.run(4) { thread in
                let resolver = Resolver()
                for round in 0..<2000 {
                    Resolver.defaultScope = scopes[(thread + round) % 3]
                    let found = Resolver.defaultScope
                    Child.require(scopes.contains { $0 === found }, "one that was assigned")
                    resolver.register { Leaf() }
                    _ = resolver.resolve(Leaf.self)
                }
            }
        }
    }
}
