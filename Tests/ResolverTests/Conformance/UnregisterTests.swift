import Testing

@testable import Resolver

@Suite struct UnregisterTests {
    /// Not `Sendable`.
    private final class Mock { var calls = 0 }

    private let resolver = Resolver(), released = Box(0)

    private func register(name: Resolver.Name? = nil, on resolver: Resolver) {
        resolver.register(name: name) { Player() }.scope(.cached).onRelease { [released] _ in released.increment() }
    }

    @Test func `an unregistered service is not found and its instance is released`() {
        register(on: resolver)
        weak let thing = resolver.resolve(Player.self)
        expect(thing != nil)
        expect(resolver.unregister(Player.self))
        expect(thing == nil && released.value == 1)
        expect(resolver.optional(Player.self), is: nil)
        expect(resolver.failure(Player.self)?.code, is: .notRegistered)
        expect(!resolver.unregister(Player.self))
        expect(resolver.registrations.isEmpty)
    }

    /// The alias of a class whose own registration is an alias too, after hits that the fast path has served.
    @Test(arguments: [true, false])
    func `a replaced alias serves no instance through another alias`(_ isRegisteredAgain: Bool) {
        class Base: Role, @unchecked Sendable {}
        final class Derived: Base, @unchecked Sendable {}
        let resolver = Resolver()
        resolver.register { Base() }.implements(Role.self)
        resolver.register { Derived() }.scope(.cached).implements(Base.self)
        for _ in 0..<5 { expect(resolver.resolve(Role.self) is Derived) }
        if isRegisteredAgain {
            resolver.register { Base() }.scope(.cached)
            expect(resolver.resolve(Role.self) === resolver.resolve(Base.self))
            expect(!(resolver.existing(Role.self) is Derived))
        }
        resolver.unregister(Base.self)
        expect(resolver.optional(Role.self) == nil && resolver.existing(Role.self) == nil)
        expect(resolver.existing(Derived.self) != nil)
    }

    /// - Parameter isOwn: whether the service is removed from the resolver that is asked, or from its first child.
    @Test(arguments: [nil, "it"] as [Resolver.Name?], [false, true])
    func `the next child's service is found after one is unregistered`(_ name: Resolver.Name?, _ isOwn: Bool) {
        let first = Resolver(), second = Resolver(), parent = isOwn ? first : Resolver(child: first), leaf = Leaf()
        parent.add(child: second)
        first.register(name: name) { Leaf() }.scope(.cached)
        second.register(name: name) { leaf }
        expect(parent.optional(Leaf.self, name: name) !== leaf)
        first.unregister(Leaf.self, name: name)
        expect(parent.optional(Leaf.self, name: name) === leaf)
        expect(parent.isRegistered(Leaf.self, name: name))
    }

    @Test func `unregistering a thousand names leaves the others and the unnamed service`() {
        register(on: resolver)
        for number in 0..<1_500 { register(name: .init("\(number)"), on: resolver) }
        expect((0..<1_500).allSatisfy { $0 % 3 == 0 || resolver.unregister(Player.self, name: .init("\($0)")) })
        expect((0..<1_500).allSatisfy { resolver.isRegistered(Player.self, name: .init("\($0)")) == ($0 % 3 == 0) })
        expect(resolver.optional(Player.self) != nil && resolver.optional(Player.self, name: "1") == nil)
        for number in 1_500..<3_000 { register(name: .init("\(number)"), on: resolver) }
        expect(resolver.registrations.count, is: 2_001)
        resolver.reset(.registrations)
        expect(resolver.registrations.isEmpty)
    }

    @Test func `an alias as any object has no instance while its service has none`() {
        let resolver = Resolver()
        resolver.register { Player() }.scope(.cached).implements(AnyObject.self).implements(Any.self, name: "any")
        for _ in 0..<2 {
            expect(resolver.existing(AnyObject.self), is: nil)
            expect(resolver.existing(Any.self, name: "any"), is: nil)
            let player = resolver.resolve(Player.self)
            expect(resolver.existing(AnyObject.self) === player)
            resolver.reset(Player.self)
        }
    }

    @Test func `an alias has its service reset, and finds nothing until its service is registered again`() {
        resolver.register { Player() }.implements((any Role).self).scope(.cached)
        let first = resolver.resolve(Player.self)
        resolver.reset((any Role).self)
        let role = resolver.resolve((any Role).self)
        expect(role !== first && role === resolver.resolve(Player.self))
        resolver.unregister(Player.self)
        expect(resolver.optional((any Role).self), is: nil)
        register(on: resolver)
        expect(resolver.optional((any Role).self) !== role)
    }

    @Test(arguments: [ResolverScope.cached, .application, .container, .shared])
    func `reset of one service leaves other names cached`(_ scope: ResolverScope) {
        for name in ["a", "b"] as [Resolver.Name] { resolver.register(name: name) { Player() }.scope(scope) }
        let (one, other) = (resolver.resolve(Player.self, name: "a"), resolver.resolve(Player.self, name: "b"))
        resolver.reset(Player.self, name: "a")
        expect(resolver.resolve(Player.self, name: "a") !== one)
        expect(resolver.resolve(Player.self, name: "b") === other)
    }

    @Test func `reset of a service in an isolating resolver leaves the parent's instance`() {
        register(on: resolver)
        let isolating = Resolver(isolating: resolver)
        let (outer, thing) = (resolver.resolve(Player.self), isolating.resolve(Player.self))
        resolver.reset(Player.self)
        expect(isolating.resolve(Player.self) === thing && resolver.resolve(Player.self) !== outer)
        let new = resolver.resolve(Player.self)
        isolating.reset(Player.self)
        expect(isolating.resolve(Player.self) !== thing && resolver.resolve(Player.self) === new)
    }

    @Test func `a registered instance need not be Sendable, outlives resets and is replaced by another registration`() {
        resolver.registerInstance(Mock())
        resolver.resolve(Mock.self).calls += 1
        resolver.reset(.scopes)
        expect(resolver.resolve(Mock.self).calls, is: 1)
        resolver.register { Mock() }
        expect(resolver.resolve(Mock.self).calls, is: 0)
    }
}
