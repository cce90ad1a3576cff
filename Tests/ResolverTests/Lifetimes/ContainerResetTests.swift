import Resolver
import Testing

@Suite struct ContainerResetTests {
    @Test func `resetting nothing or a scope without registrations or instances changes nothing`() {
        let resolver = Resolver()
        let scopes: [ResolverScope] = [.cached, .container, .shared, ResolverScopeCache(), KeepingScope.Subclass()]
        let names = scopes.indices.map { Resolver.Name("\($0)") }
        for (name, scope) in zip(names, scopes) { resolver.register(name: name) { Leaf() }.scope(scope) }
        let instances = names.map { resolver.resolve(Leaf.self, name: $0) }
        for scope in [ResolverScopeCache(), ResolverScope.unique, .graph] { resolver.reset(scope: scope) }
        resolver.reset([])
        expect(zip(names, instances).allSatisfy { resolver.existing(Leaf.self, name: $0) === $1 })
    }

    private final class TableCache: ResolverScope, @unchecked Sendable {
        private let table = TableScope()

        override func resolve<Service>(
            registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
        ) -> Service? { table.resolve(registration: registration, resolver: resolver, args: args) }

        override func release(_ registration: AnyResolverRegistration) { table.release(registration) }
    }

    @Test func `a resolver's cache with its own storage gets the registrations to release`() throws {
        let alive = Box(0)
        var resolver: Resolver? = Resolver()
        resolver?.cache = TableCache()
        resolver?.register { Counted(alive) }.scope(.container)
        var steps: [Int] = []
        func step(_ change: (Resolver) -> Void) throws {
            let resolver = try #require(resolver)
            _ = resolver.resolve(Counted.self)
            change(resolver)
            steps.append(alive.value)
        }
        try step { _ in }
        try step { $0.reset(scope: .cached) }
        try step { $0.reset(scope: .container) }
        try step { $0.reset(.scopes) }
        try step { $0.register { Counted(alive) }.scope(.container) }
        try step { _ in resolver = nil }
        expect(steps, is: [1, 1, 0, 0, 0, 1])
        expect(alive.value, is: 0)
    }

    @Test(arguments: ["application", "definitions"])
    func `a definition cache releases its resolver's instance by type, scope and registration`(_ name: String) throws {
        let cache = name == "application" ? ResolverScope.application : ResolverScopeCache(sharing: .definition)
        func register(on resolver: Resolver) { resolver.register { Leaf() }.scope(.container) }
        for change: (Resolver) -> Void in [
            { $0.reset(Leaf.self) }, { $0.reset(scope: .container) }, { $0.reset(scope: cache) },
            { register(on: $0) }, { $0.unregister(Leaf.self) },
        ] {
            let resolver = Resolver(), other = Resolver()
            for resolver in [resolver, other] {
                resolver.cache = cache
                register(on: resolver)
            }
            weak let first: Leaf? = resolver.resolve(Leaf.self)
            try #require(first != nil)
            expect(other.resolve(Leaf.self) === first, "resolvers that run one register call share the instance")
            change(resolver)
            expect(first, is: nil)
            expect(other.resolve(Leaf.self) === other.resolve(Leaf.self))
        }
    }

    @Test(arguments: [false, true])
    func `calls concurrent with registrations, resets and removals leave no instance`(_ isIsolating: Bool) {
        let alive = Box(0), resolver = Resolver()
        @Sendable func register() { resolver.register { Counted(alive) }.scope(.cached) }
        register()
        Threads.run(others: 5) {
            for round in 0..<500 {
                register()
                if !isIsolating, round % 3 == 0 { resolver.reset(.all) }
                if !isIsolating, round % 3 == 1 { resolver.unregister(Counted.self) }
            }
        } repeating: {
            let asked = isIsolating ? Resolver(isolating: resolver) : resolver
            if let counted = asked.optional(Counted.self) { precondition(counted.alive === alive) }
        }
        if !isIsolating { resolver.reset(.all) }
        expect(alive.value, is: 0)
        expect(isIsolating || resolver.optional(Counted.self) == nil)
    }
}
