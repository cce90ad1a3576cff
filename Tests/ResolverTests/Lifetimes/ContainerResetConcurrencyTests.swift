import Resolver
import Testing

/// Resets of a container during its use.
@Suite struct ContainerResetConcurrencyTests {
    @Test func `a resolver can be reset and filled again a thousand times`() {
        let alive = Box(0)
        let resolver = Resolver()
        for round in 1...1000 {
            for index in 0..<100 {
                resolver.register(name: .init("\(index)")) { (Counted(alive), round) }.scope(.cached)
            }
            let (_, made) = resolver.resolve((Counted, Int).self, name: .init("\(round % 100)"))
            #expect(made == round)
            #expect(alive.value == 1)
            resolver.reset(.all)
            #expect(alive.value == 0)
            #expect(resolver.optional((Counted, Int).self, name: .init("\(round % 100)")) == nil)
        }
    }

    @Test func `calls concurrent with resets get live instances and leave none`() {
        let alive = Box(0)
        let cache = ResolverScopeCache()
        let resolver = Resolver()
        let scopes: [ResolverScope] = [.cached, .container, .shared, cache]
        for (name, scope) in scopes.enumerated() {
            resolver.register(name: .init("\(name)")) { Counted(alive) }.implements(
                AnyObject.self, name: .init("\(name)")
            )
            .scope(scope)
        }
        Threads.run(8) { thread in
            for round in 0..<1000 {
                let name = Resolver.Name("\((thread + round) % scopes.count)")
                switch thread {
                case 0: resolver.reset(.scopes)
                case 1: resolver.reset(scope: scopes[round % scopes.count])
                case 2: precondition(resolver.resolve(AnyObject.self, name: name) is Counted)
                default: precondition(resolver.resolve(Counted.self, name: name).alive === alive)
                }
            }
        }
        resolver.reset(.scopes)
        #expect(alive.value == 0)
    }

    @Test func `calls concurrent with registrations and resets leave no instance`() {
        let alive = Box(0), found = Box(0)
        let resolver = Resolver()
        Threads.run(6) { thread in
            for round in 0..<500 {
                if thread == 0 {
                    resolver.register { Counted(alive) }.scope(.cached)
                    if round % 2 == 0 { resolver.reset(.all) }
                } else if let counted = resolver.optional(Counted.self) {
                    precondition(counted.alive === alive)
                    found.increment()
                }
            }
        }
        resolver.reset(.all)
        #expect(alive.value == 0)
        #expect(resolver.optional(Counted.self) == nil)
    }
}
