import Testing

@testable import Resolver

/// `unregister`, `reset` of one service, and `registerInstance`.
@Suite struct UnregisterTests {
    private protocol Face: AnyObject, Sendable {}
    private final class Thing: Face {}
    /// Not `Sendable`.
    private final class Mock { var calls = 0 }

    private let resolver = Resolver(), released = Box(0)

    private func register(name: Resolver.Name? = nil, on resolver: Resolver, in scope: ResolverScope = .cached) {
        resolver.register(name: name) { Thing() }.scope(scope).onRelease { [released] _ in released.increment() }
    }

    @Test func `an unregistered service is not found and its instance is released`() {
        register(on: resolver)
        weak let thing = resolver.resolve(Thing.self)
        #expect(thing != nil)
        #expect(resolver.unregister(Thing.self))
        #expect(thing == nil && released.value == 1)
        #expect(resolver.optional(Thing.self) == nil)
        #expect(resolver.failure(Thing.self)?.code == .notRegistered)
        #expect(!resolver.unregister(Thing.self))
        #expect(resolver.registrations.isEmpty)
    }

    /// The alias of a class whose own registration is an alias too, after hits that the fast path has served.
    @Test(arguments: [true, false])
    func `a replaced alias serves no instance through another alias`(_ isRegisteredAgain: Bool) {
        class Base: Face, @unchecked Sendable {}
        final class Derived: Base, @unchecked Sendable {}
        let resolver = Resolver()
        resolver.register { Base() }.implements(Face.self)
        resolver.register { Derived() }.scope(.cached).implements(Base.self)
        for _ in 0..<5 { #expect(resolver.resolve(Face.self) is Derived) }
        if isRegisteredAgain {
            resolver.register { Base() }.scope(.cached)
            #expect(resolver.resolve(Face.self) === resolver.resolve(Base.self))
            #expect(!(resolver.existing(Face.self) is Derived))
        }
        resolver.unregister(Base.self)
        #expect(resolver.optional(Face.self) == nil && resolver.existing(Face.self) == nil)
        #expect(resolver.existing(Derived.self) != nil)
    }

    @Test func `a child's service is found after the parent's is unregistered`() {
        let child = Resolver()
        register(on: child)
        resolver.add(child: child)
        register(on: resolver)
        let own = resolver.resolve(Thing.self)
        resolver.unregister(Thing.self)
        #expect(resolver.resolve(Thing.self) === child.resolve(Thing.self))
        #expect(resolver.resolve(Thing.self) !== own)
    }

    @Test func `unregister removes only the given name`() {
        register(name: "a", on: resolver)
        register(on: resolver)
        #expect(resolver.unregister(Thing.self, name: "a"))
        #expect(resolver.optional(Thing.self) != nil && resolver.optional(Thing.self, name: "a") == nil)
    }

    @Test func `registering and unregistering in turn leaves no registration`() {
        let areThere = (0..<2_000).allSatisfy { number in
            let name = Resolver.Name("\(number % 3)")
            register(name: name, on: resolver)
            return resolver.unregister(Thing.self, name: name)
        }
        #expect(areThere && resolver.registrations.isEmpty)
        register(name: "0", on: resolver)
        #expect(resolver.registrations.count == 1)
    }

    @Test func `unregistering a thousand services leaves the others`() {
        for number in 0..<1_500 { register(name: .init("\(number)"), on: resolver) }
        for number in 0..<1_500 where number % 3 != 0 { resolver.unregister(Thing.self, name: .init("\(number)")) }
        let areRight = (0..<1_500).allSatisfy { number in
            resolver.isRegistered(Thing.self, name: .init("\(number)")) == (number % 3 == 0)
        }
        #expect(areRight)
        for number in 1_500..<3_000 { register(name: .init("\(number)"), on: resolver) }
        #expect(resolver.registrations.count == 2_000)
        resolver.reset(.registrations)
        #expect(resolver.registrations.isEmpty)
    }

    @Test func `a factory may unregister its own service`() {
        let resolver = resolver
        resolver.register { () -> Thing? in
            resolver.unregister(Thing.self)
            return Thing()
        }.scope(.cached)
        #expect(resolver.optional(Thing.self) != nil)
        #expect(resolver.optional(Thing.self) == nil)
    }

    @Test func `an alias finds nothing until its service is registered again`() {
        resolver.register { Thing() }.implements((any Face).self).scope(.cached)
        let face: any Face = resolver.resolve()
        resolver.unregister(Thing.self)
        #expect(resolver.optional((any Face).self) == nil)
        register(on: resolver)
        #expect(resolver.optional((any Face).self) !== face)
    }

    @Test func `concurrent register, unregister and resolve leave no registration behind`() {
        let resolver = resolver
        Threads.run(4) { index in
            for _ in 0..<500 {
                switch index {
                case 0: resolver.register { Thing() }.scope(.cached)
                case 1: resolver.unregister(Thing.self)
                default: _ = try? resolver.tryResolve(Thing.self)
                }
            }
        }
        resolver.unregister(Thing.self)
        #expect(resolver.optional(Thing.self) == nil)
    }

    // MARK: Resetting one service

    @Test(arguments: [ResolverScope.cached, .application, .container, .shared])
    func `reset of one service leaves other names cached`(_ scope: ResolverScope) {
        for name in ["a", "b"] as [Resolver.Name] { resolver.register(name: name) { Thing() }.scope(scope) }
        let (one, other) = (resolver.resolve(Thing.self, name: "a"), resolver.resolve(Thing.self, name: "b"))
        resolver.reset(Thing.self, name: "a")
        #expect(resolver.resolve(Thing.self, name: "a") !== one)
        #expect(resolver.resolve(Thing.self, name: "b") === other)
    }

    @Test func `reset of an alias resets its service`() {
        resolver.register { Thing() }.implements((any Face).self).scope(.cached)
        let thing = resolver.resolve(Thing.self)
        resolver.reset((any Face).self)
        #expect(resolver.resolve(Thing.self) !== thing)
        #expect(resolver.resolve((any Face).self) === resolver.resolve(Thing.self))
    }

    @Test func `reset of a service in an isolating resolver leaves the parent's instance`() {
        register(on: resolver)
        let isolating = Resolver(isolating: resolver)
        let (outer, thing) = (resolver.resolve(Thing.self), isolating.resolve(Thing.self))
        resolver.reset(Thing.self)
        #expect(isolating.resolve(Thing.self) === thing && resolver.resolve(Thing.self) !== outer)
        let new = resolver.resolve(Thing.self)
        isolating.reset(Thing.self)
        #expect(isolating.resolve(Thing.self) !== thing && resolver.resolve(Thing.self) === new)
    }

    @Test func `resetAndWait awaits the asynchronous release hook`() async {
        resolver.register { Thing() }.scope(.cached).onRelease { [released] _ async in
            await Task.yield()
            released.increment()
        }
        _ = resolver.resolve(Thing.self)
        await resolver.resetAndWait(Thing.self)
        #expect(released.value == 1)
    }

    // MARK: Registered instances

    @Test func `registerInstance accepts an instance that is not Sendable`() {
        resolver.registerInstance(Mock())
        resolver.resolve(Mock.self).calls += 1
        #expect(resolver.resolve(Mock.self).calls == 1)
        resolver.reset(.scopes)
        #expect(resolver.resolve(Mock.self).calls == 1)
    }

    @Test func `a registered instance is released with its registration`() {
        let thing = Thing()
        weak let observed = thing
        resolver.registerInstance(thing as any Face)
        #expect(resolver.resolve((any Face).self) === observed)
        withExtendedLifetime(thing) {}
        resolver.register { Thing() as any Face }
        #expect(resolver.resolve((any Face).self) !== observed)
    }
}
