import Resolver
import Testing

@Suite struct RegisterIfAbsentTests {
    private let resolver = Resolver()

    private static let absent = [
        Registrations("nothing") { _ in },
        Registrations("the service with another name") { $0.register(name: "other") { Leaf() } },
        Registrations("the service in the current session only") { _ in
            ScopeContext.shared.setCurrent(.session, id: "1").register { Leaf() }
        },
        Registrations("the service until it is unregistered") {
            $0.register { Leaf() }
            $0.unregister(Leaf.self)
        },
    ]

    @Test(.ownResolver, arguments: absent)
    func `ifAbsent registers a service that is not registered`(_ before: Registrations) {
        before.register(resolver)
        for name in [nil, "a name is another service"] as [Resolver.Name?] {
            resolver.register(ifAbsent: Leaf.self, name: name) { _ in Leaf() }.scope(.cached)
            ScopeContext.shared.clear(.session)
            let leaf = resolver.optional(Leaf.self, name: name)
            expect(leaf != nil)
            expect(leaf === resolver.existing(Leaf.self, name: name))
        }
    }

    @Test(arguments: [false, true])
    func `ifAbsent registers neither service nor alias if the resolver or its child has the service`(_ isInChild: Bool)
    {
        let first = isInChild ? Resolver() : resolver, player = Player()
        if isInChild { resolver.add(child: first) }
        first.register { player }.scope(.cached)
        resolver.register(ifAbsent: Player.self) { Player() }.scope(.unique).implements(Role.self)
        expect(resolver.resolve(Player.self) === player)
        expect(resolver.registrations.map(\.lifetime), is: [.cached])
        expect(!resolver.isRegistered(Role.self))
    }

    @Test(arguments: [false, true])
    func `ifAbsent registers a service for which only an alias of nothing is left`(_ isInChild: Bool) {
        let first = isInChild ? Resolver() : resolver
        if isInChild { resolver.add(child: first) }
        first.register { Player() }.implements(Role.self).implements(Role.self, name: "other")
        let count = resolver.registrations.count
        resolver.register(ifAbsent: Role.self) { Player() as Role }
        expect(resolver.registrations.count, is: count)
        expect(resolver.isRegistered(Role.self, name: "other"))
        first.unregister(Player.self)
        expect(!resolver.isRegistered(Role.self) && !resolver.isRegistered(Role.self, name: "other"))
        for _ in 0..<2 { resolver.register(ifAbsent: Role.self) { Player() as Role }.scope(.cached) }
        let player = resolver.optional(Role.self) as? Player
        expect(player != nil)
        expect(resolver.optional(Role.self) as? Player === player)
        expect(resolver.optional(Role.self, name: "other"), is: nil)
    }

    /// - Parameter hasDefault: whether the scope is the default of the resolver. A thread that asks before a modifier sets the scope
    ///   gets an instance of its own.
    @Test(arguments: [false, true])
    func `ifAbsent registers once when several threads call it`(_ hasDefault: Bool) {
        for _ in 0..<200 {
            let resolver = Resolver(), leaves = Box<[Leaf]>([])
            if hasDefault { resolver.defaultScope = .cached }
            Threads.run(4) { _ in
                let options = resolver.register(ifAbsent: Leaf.self) { Leaf() }
                if !hasDefault { options.scope(.cached) }
                leaves.append(resolver.resolve())
            }
            let leaf: Leaf = resolver.resolve()
            expect(resolver.registrations.map(\.lifetime), is: [.cached])
            expect(resolver.existing(Leaf.self) === leaf)
            expect(!hasDefault || leaves.value.allSatisfy { $0 === leaf })
        }
    }
}
