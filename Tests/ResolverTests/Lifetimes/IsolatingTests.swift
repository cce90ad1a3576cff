import Resolver
import Testing

@Suite struct IsolatingTests {
    @Test func `a singleton registered in an isolating resolver is not shared`() {
        func fill(_ resolver: Resolver) -> Resolver {
            resolver.register { Leaf() }.scope(.application)
            return resolver
        }
        let plain = fill(Resolver())
        let first = fill(Resolver(isolating: plain)), second = fill(Resolver(isolating: plain))
        let shared: Leaf = plain.resolve(), own: Leaf = first.resolve()
        expect(own !== shared)
        expect(own !== second.resolve(Leaf.self))
        expect(first.resolve(Leaf.self) === own)
        expect(fill(Resolver()).resolve(Leaf.self) === shared)
        first.reset(scope: .application)
        expect(first.resolve(Leaf.self) !== own)
        expect(plain.resolve(Leaf.self) === shared)
    }

    /// Of the scopes that keep something of a resolver, only the first are noted; of the isolating resolvers, all.
    @Test func `a new registration releases what each of many isolating resolvers keeps`() {
        let alive = Box(0), parent = Resolver()
        func register() { parent.register { Counted(alive) }.scope(.cached) }
        register()
        let isolating = (0..<300).map { _ in Resolver(isolating: parent) }
        for resolver in isolating { _ = resolver.resolve(Counted.self) }
        expect(alive.value, is: 300)
        register()
        expect(alive.value, is: 0)
        withExtendedLifetime(isolating) {}
    }

    @Test(arguments: [ResolverScope.cached, .application, .container, .shared])
    func `registrations say what the resolver that was asked keeps`(_ scope: ResolverScope) {
        let parent = Resolver(), isolating = Resolver(isolating: parent)
        func areKept() -> [Bool] { [parent, Resolver(child: parent), isolating].map { $0.registrations[0].isKept } }
        parent.register { Leaf() }.scope(scope)
        expect(areKept(), is: [false, false, false])
        let own: Leaf = isolating.resolve()
        expect(areKept(), is: [false, false, true])
        let parents: Leaf = parent.resolve()
        expect(areKept(), is: [true, true, true])
        isolating.reset(Leaf.self)
        expect(areKept(), is: [true, true, false])
        expect(own !== parents)
        isolating.register { OtherLeaf() }.scope(scope)
        let front = Resolver()
        front.add(child: isolating)
        let other: OtherLeaf = front.resolve()
        expect([front, isolating].allSatisfy { $0.registrations.contains { $0.type == OtherLeaf.self && $0.isKept } })
        withExtendedLifetime(other) {}
    }

    /// A search for dead resolvers releases user objects: a factory retains an object whose `deinit` needs the
    /// registering resolver.
    @Test func `isolating resolvers that begin and end on several threads do not deadlock`() async {
        await #expect(processExitsWith: .success) {
            let parent = Resolver()
            parent.register { Leaf() }.scope(.cached)
            // Separate functions, so that nothing here outlives the isolating resolver.
            @Sendable func factory() -> @Sendable () -> OtherLeaf {
                let asking = DeinitCallback { _ = parent.cache }
                return { withExtendedLifetime(asking) { OtherLeaf() } }
            }
            @Sendable func isolating() -> Resolver {
                let other = Resolver(), isolating = Resolver(isolating: parent)
                other.register(factory: factory()).scope(.cached)
                isolating.add(child: other)
                return isolating
            }
            Threads.run(4) { _ in
                for _ in 0..<Sanitizer.rounds(5000) {
                    let resolver = isolating()
                    _ = (resolver.resolve(Leaf.self), resolver.resolve(OtherLeaf.self))
                }
            }
        }
    }

    @Test func `a reset of a resolver's cache in an isolating resolver releases what that one keeps`() {
        let parent = Resolver(), isolating = Resolver(isolating: parent), others = Resolver(child: parent)
        parent.register { Leaf() }.scope(.container)
        let kept: Leaf = parent.resolve(), own: Leaf = isolating.resolve()
        for resolver in [others, isolating] { resolver.reset(scope: resolver.cache) }
        expect(isolating.existing(Leaf.self) === own)
        for resolver in [others, isolating] { resolver.reset(scope: parent.cache) }
        expect(isolating.existing(Leaf.self) == nil)
        expect(parent.existing(Leaf.self) === kept)
    }

    @Test(arguments: [nil, CallbackScope()])
    func `a block that sets another scope finds its object behind a child of an isolating resolver`(
        _ scope: ResolverScope?
    ) throws {
        let parent = Resolver(), child = Resolver(child: Resolver(isolating: parent))
        let found = Box<Leaf?>(nil), options = parent.register { Leaf() }
        if let scope { options.scope(scope) } else { options.scoped(to: .session) }
        options.resolveProperties { _, _ in
            options.scope(.cached)
            found.set(try child.tryResolve(Leaf.self))
        }
        let leaf = try child.tryResolve(Leaf.self)
        expect(leaf === found.value)
    }
}
