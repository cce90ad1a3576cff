import Resolver
import Testing

/// How long an instance lives and who shares it.
@Suite struct LifetimeTests {
    /// Whether a second call to the same resolver returns the same instance.
    static let matrix: [(name: String, scope: ResolverScope, object: Bool, value: Bool)] = [
        ("application", .application, true, true),
        ("cached", .cached, true, true),
        ("container", .container, true, true),
        ("shared", .shared, true, false),
        ("graph", .graph, false, false),
        ("unique", .unique, false, false),
        ("a cache of one's own", ResolverScopeCache(), true, true),
    ]

    @Test(arguments: matrix.indices)
    func `every scope caches objects and values as documented`(_ index: Int) {
        let row = LifetimeTests.matrix[index]
        let made = Box(0)
        let resolver = Resolver()
        resolver.register(name: "object") { Leaf() }.scope(row.scope)
        resolver.register(name: "value") { made.increment() }.scope(row.scope)
        let first: Leaf = resolver.resolve(name: "object")
        #expect((first === resolver.resolve(Leaf.self, name: "object")) == row.object, "\(row.name)")
        #expect(
            (resolver.resolve(Int.self, name: "value") == resolver.resolve(name: "value")) == row.value, "\(row.name)")
    }

    @Test(arguments: [ResolverScope.cached, .container, .shared, ResolverScopeCache()])
    func `two resolvers have separate instances`(_ scope: ResolverScope) {
        func make() -> Resolver {
            let resolver = Resolver()
            resolver.register { Leaf() }.scope(scope)
            return resolver
        }
        let left = make(), right = make()
        let one: Leaf = left.resolve(), other: Leaf = right.resolve()
        #expect(one !== other)
        #expect(one === left.resolve(Leaf.self))
    }

    @Test func `a singleton belongs to its definition`() {
        final class Service: Sendable {}
        func fill(_ resolver: Resolver) { resolver.register { Service() }.scope(.application) }
        let left = Resolver(), right = Resolver(), third = Resolver()
        fill(left)
        fill(right)
        third.register { Service() }.scope(.application)
        let one: Service = left.resolve()
        #expect(one === right.resolve(Service.self), "the same line means the same singleton")
        #expect(one !== third.resolve(Service.self), "another line is another singleton")
        fill(left)
        #expect(one !== left.resolve(Service.self), "registering again on the same resolver empties it")
    }

    @Test func `a singleton outlives the resolver that created it`() {
        final class Service: Sendable {}
        func resolved() -> ObjectIdentifier {
            let resolver = Resolver()
            resolver.register { Service() }.scope(.application)
            return ObjectIdentifier(resolver.resolve(Service.self))
        }
        #expect(resolved() == resolved())
    }

    @Test func `a child never sees its parent's registrations`() {
        final class Holder: Sendable {
            let leaf: Leaf
            init(_ leaf: Leaf) { self.leaf = leaf }
        }
        let main = Resolver()
        main.register { Leaf() }.scope(.cached)
        main.register { Holder($0.resolve()) }.scope(.cached)
        let kept: Holder = main.resolve()

        let front = Resolver(child: main), sibling = Resolver(child: main)
        front.register { Leaf() }.scope(.cached)
        front.register { OtherLeaf() }
        let own: Leaf = front.resolve()
        #expect(own !== main.resolve(Leaf.self))
        #expect(main.optional(OtherLeaf.self) == nil)
        #expect(sibling.optional(OtherLeaf.self) == nil)
        #expect(front.resolve(Holder.self) === kept)
        #expect(kept.leaf === main.resolve(Leaf.self))
    }

    @Test func `a container instance is cached by the resolver that registered it`() {
        let inner = Resolver()
        inner.register { Leaf() }.scope(.container)
        let outer = Resolver(child: inner)
        let instance: Leaf = outer.resolve()
        outer.cache.reset()
        #expect(instance === inner.resolve(Leaf.self))
        inner.cache.reset()
        #expect(instance !== outer.resolve(Leaf.self))
    }

    @Test func `an alias resolves to the instance of the resolver that is asked`() {
        let main = Resolver()
        main.register { Player() }.implements(Role.self).scope(.cached)
        let front = Resolver(child: main)
        front.register { Player() }.scope(.cached)
        let fronts: Role = front.resolve()
        #expect(fronts === front.resolve(Player.self))
        #expect(main.resolve(Role.self) !== fronts)
        #expect(main.resolve(Role.self) === main.resolve(Player.self))
    }

    private final class Watched: ResolverScopeCache, @unchecked Sendable {
        let asked = Box(0)

        override func resolve<Service>(
            registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
        ) -> Service? {
            asked.increment()
            return super.resolve(registration: registration, resolver: resolver, args: args)
        }
    }

    @Test func `a custom scope is asked on every call, also through an alias`() {
        let scope = Watched()
        let resolver = Resolver()
        resolver.register { Player() }.implements(Role.self).scope(scope)
        let first: Role = resolver.resolve()
        for calls in 2...4 {
            #expect(resolver.resolve(Role.self) === first)
            #expect(scope.asked.value == calls)
        }
    }

    @Test func `a replaced cache takes effect at once and may be any scope`() {
        let resolver = Resolver()
        resolver.register { Leaf() }.scope(.container)
        let first: Leaf = resolver.resolve()
        let old = resolver.cache
        resolver.cache = ResolverScopeCache()
        let second: Leaf = resolver.resolve()
        #expect(first !== second)
        #expect(second === resolver.resolve(Leaf.self))
        resolver.cache = old
        #expect(first === resolver.resolve(Leaf.self), "the old cache still has what it kept")
        resolver.cache = ResolverScope.unique
        #expect(resolver.resolve(Leaf.self) !== resolver.resolve(Leaf.self))
    }

    @Test func `the graph scope shares within one call and never across threads`() {
        final class Pair: Sendable {
            let left: Leaf, right: Leaf
            init(_ left: Leaf, _ right: Leaf) { (self.left, self.right) = (left, right) }
        }
        // All resolution cycles are open at once, and each has its first leaf before any resolves the second.
        let everybodyIsInside = Rendezvous(64)
        let resolver = Resolver()
        resolver.register { Leaf() }
        resolver.register { r -> Pair in
            let left: Leaf = r.resolve()
            everybodyIsInside.arriveAndWait()
            return Pair(left, r.resolve())
        }.scope(.unique)
        let pairs = Box<[Pair]>([])
        Threads.run(64) { _ in pairs.append(resolver.resolve()) }
        #expect(pairs.value.allSatisfy { $0.left === $0.right })
        #expect(Set(pairs.value.map { ObjectIdentifier($0.left) }).count == 64)
    }

    @Test(arguments: [ResolverScope.unique, .cached, .container, .shared, .graph])
    func `a resolution cycle begins at the outermost call of any scope`(_ scope: ResolverScope) {
        final class Root: Sendable {
            let first: Leaf, second: Leaf
            init(_ first: Leaf, _ second: Leaf) { (self.first, self.second) = (first, second) }
        }
        let resolver = Resolver()
        resolver.register { Leaf() }
        resolver.register { Root($0.resolve(), $0.resolve()) }.scope(scope)
        let root: Root = resolver.resolve()
        #expect(root.first === root.second)
        #expect(root.first !== resolver.resolve(Leaf.self))
    }

    @Test func `a hundred instances of one resolution cycle are all shared`() {
        let resolver = Resolver()
        for index in 0..<100 { resolver.register(name: .init("\(index)")) { Leaf() } }
        resolver.register { r -> [ObjectIdentifier] in
            (0..<200).map { ObjectIdentifier(r.resolve(Leaf.self, name: .init("\($0 % 100)"))) }
        }
        let all: [ObjectIdentifier] = resolver.resolve()
        #expect(Array(all[..<100]) == Array(all[100...]))
        #expect(Set(all).count == 100)
    }

    @Test func `a deinit at the end of a resolution cycle begins a new one`() {
        let resolver = Resolver()
        let inside = Box<Leaf?>(nil), after = Box<Leaf?>(nil)
        resolver.register { Leaf() }
        resolver.register { DeinitCallback { after.set(resolver.resolve(Leaf.self)) } }
        resolver.register { r -> Int in
            inside.set(r.resolve(Leaf.self))
            _ = r.resolve(DeinitCallback.self)
            return 1
        }
        _ = resolver.resolve(Int.self)
        #expect(after.value != nil)
        #expect(after.value !== inside.value)
    }

    @Test func `a resolution cycle does not hold a unique service with properties`() {
        let alive = Box(0), most = Box(0)
        let resolver = Resolver()
        resolver.register { Counted(alive) }.resolveProperties { _, _ in }.scope(.unique)
        resolver.register { r -> Int in
            for _ in 0..<100 {
                _ = r.resolve(Counted.self)
                most.update { $0 = max($0, alive.value) }
            }
            return 1
        }
        _ = resolver.resolve(Int.self)
        #expect(most.value <= 1)
    }

    @Test func `an instance that stores its own options is released with its resolver`() {
        final class Keeper: @unchecked Sendable {
            let alive: Counted
            var options: ResolverOptions<Keeper>?
            init(_ alive: Counted) { self.alive = alive }
        }
        let alive = Box(0)
        do {
            let resolver = Resolver()
            let options = resolver.register { Keeper(Counted(alive)) }.scope(.cached)
            resolver.resolve(Keeper.self).options = options
        }
        #expect(alive.value == 0)
    }

    @Test func `existing never creates an instance`() {
        let made = Box(0)
        let resolver = Resolver()
        for scope in [ResolverScope.cached, .shared, .container, .unique, .graph] {
            resolver.register {
                made.increment()
                return Leaf()
            }.scope(scope)
            #expect(resolver.existing(Leaf.self) == nil)
        }
        #expect(made.value == 0)
        resolver.register { OtherLeaf() }.scope(.shared).implements(AnyObject.self)
        let held: OtherLeaf = resolver.resolve()
        #expect(resolver.existing(OtherLeaf.self) === held)
        #expect(resolver.existing(AnyObject.self) === held)
    }

    private final class ClassError: Error {}
    private struct StructError: Error {}
    private protocol ForClasses: AnyObject {}
    private protocol ForAll {}
    private protocol WithElement<Element> { associatedtype Element }
    private final class Thing: ForClasses, ForAll, WithElement { typealias Element = Int }
    private struct Value: ForAll, WithElement { typealias Element = Int }

    /// Returns whether two calls in one resolution cycle return one instance of this type.
    private func isShared<Service>(_ make: @escaping @Sendable () -> Service) -> Bool {
        let made = Box(0)
        let resolver = Resolver()
        resolver.register { () -> Service in
            made.increment()
            return make()
        }
        resolver.register(Bool.self) { r in
            _ = r.resolve(Service.self)
            _ = r.resolve(Service.self)
            return true
        }
        _ = resolver.resolve(Bool.self)
        return made.value == 1
    }

    @Test func `the graph scope shares objects of any static type and no values`() {
        #expect(isShared { Thing() })
        #expect(isShared { Thing() as any ForClasses })
        #expect(isShared { Thing() as any ForAll })
        #expect(isShared { Thing() as any ForAll & ForClasses })
        #expect(isShared { Thing() as any WithElement<Int> })
        #expect(isShared { Thing() as AnyObject })
        #expect(isShared { Thing() as Any })
        #expect(isShared { ClassError() as any Error })
        #expect(!isShared { Value() })
        #expect(!isShared { Value() as any ForAll })
        #expect(!isShared { Value() as any WithElement<Int> })
        #expect(!isShared { Value() as Any })
        #expect(!isShared { StructError() as any Error })
        #expect(!isShared { [Thing()] })
        #expect(!isShared { (Thing(), 1, 2, 3, 4, 5, 6) })
        #expect(!isShared { { 1 } as @Sendable () -> Int })
        #expect(!isShared { Thing.self as AnyClass })
    }
}
