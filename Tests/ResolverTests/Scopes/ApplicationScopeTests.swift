import Resolver
import Testing

@Suite struct ApplicationScopeTests {
    @Test func `one registration line with different types does not share an instance of the wrong type`() {
        class Base: @unchecked Sendable {}
        final class Derived: Base, @unchecked Sendable { let value = 42 }
        func register<Service>(_ type: Any.Type, on resolver: Resolver, _ make: @escaping @Sendable () -> Service) {
            resolver.register(type as! Service.Type, name: "runtime", factory: make).scope(.application)
        }
        let first = Resolver(), second = Resolver()
        register(Derived.self as Base.Type, on: first) { Base() }
        register(Derived.self, on: second) { Derived() }
        _ = first.optional(Base.self, name: "runtime")
        _ = first.optional(Derived.self as Base.Type, name: "runtime")
        expect(second.resolve(Derived.self, name: "runtime").value, is: 42)
    }

    /// - Parameter isMade: whether the factory returns an instance, or nil.
    private static func resolver(_ name: Resolver.Name, isMade: Bool) -> Resolver {
        let resolver = Resolver()
        resolver.register(name: name) { isMade ? Leaf() : nil }.scope(.application)
        return resolver
    }

    /// One thread registers on resolvers that end at once, so definitions are pruned often. The other thread runs the
    /// same call on a resolver that ends, and then on two that must share an instance.
    @Test func `resolvers share a singleton while other definitions are pruned`() {
        let others = Box(0), differences = Box(0)
        Threads.run {
            for _ in 0..<Sanitizer.rounds(15_000) {
                _ = Self.resolver("lasting", isMade: false).optional(Leaf.self, name: "lasting")
                let left = Self.resolver("lasting", isMade: true), right = Self.resolver("lasting", isMade: true)
                let singleton = left.resolve(Leaf.self, name: "lasting")
                if right.resolve(Leaf.self, name: "lasting") !== singleton { differences.increment() }
                left.reset(scope: .application)
            }
        } repeating: {
            let name = Resolver.Name("passing \(others.increment())")
            _ = Self.resolver(name, isMade: false).optional(Leaf.self, name: name)
        }
        expect(differences.value, is: 0)
    }

    @Test func `a singleton outlives its resolver, also one that had another scope first`() {
        func start() -> Resolver {
            let resolver = Resolver()
            let options = resolver.register { Leaf() }.scope(.cached)
            _ = resolver.resolve(Leaf.self)
            options.scope(.application)
            return resolver
        }
        let other = start(), singleton = start().resolve(Leaf.self)
        expect(other.resolve(Leaf.self) === singleton)
        expect(start().resolve(Leaf.self) === singleton)
        other.reset(scope: .application)
        let new = other.resolve(Leaf.self)
        expect(new !== singleton && start().existing(Leaf.self) === new)
        other.unregister(Leaf.self)
    }

    /// - Parameter isIfAbsent: whether the second registration stands back, or is that of another resolver.
    @Test(arguments: [false, true])
    func `the modifiers of a second registration of a definition leave its instance as it is`(_ isIfAbsent: Bool) {
        let time = ManualTime(), first = time.resolver(), released = Box(0)
        let second = isIfAbsent ? first : time.resolver()
        func register(on resolver: Resolver) {
            let options =
                isIfAbsent
                ? resolver.register(ifAbsent: Leaf.self) { Leaf() } : resolver.register { _, _ in Leaf() }
            options.scope(.application).scopeOnArguments().timeToLive(60, from: .creation)
                .onRelease { _ in released.increment() }
        }
        register(on: first)
        let leaf: Leaf = first.resolve(args: 1)
        time.set(59)
        register(on: second)
        expect(second.resolve(Leaf.self, args: 1) === leaf)
        expect(released.value, is: 0)
        time.set(60)
        expect(first.resolve(Leaf.self, args: 1) !== leaf, "the time was not restarted")
        expect(released.value, is: 1)
        first.unregister(Leaf.self)
    }
}
