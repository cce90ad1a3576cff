import Resolver
import Testing

extension ResolverScope {
    /// A scope of an app.
    fileprivate static let session = ResolverScopeCache()
}

/// The instances and registrations that a reset of one container removes.
@Suite struct ContainerResetTests {
    private let scopes: [String: ResolverScope] = [
        "application": .application, "cached": .cached, "container": .container, "shared": .shared,
        "session": .session, "own": ResolverScopeCache(), "subclass": KeepingScope.Subclass(),
    ]

    /// Registers a service in each scope, under the scope's name. Singletons belong to the test's line.
    private func register(on resolver: Resolver, line: UInt = #line) {
        for (name, scope) in scopes { resolver.register(name: .init(name), line: line) { Leaf() }.scope(scope) }
    }

    private func resolveAll(_ resolver: Resolver) -> [String: Leaf] {
        Dictionary(uniqueKeysWithValues: scopes.keys.map { ($0, resolver.resolve(name: .init($0))) })
    }

    /// The names of the scopes whose instance is gone or has changed.
    private func changed(_ instances: [String: Leaf], in resolver: Resolver) -> Set<String> {
        Set(instances.keys.filter { resolver.existing(Leaf.self, name: .init($0)) !== instances[$0] })
    }

    // MARK: One scope

    @Test(arguments: ["cached", "container", "shared", "session", "own", "subclass"])
    func `resetting a scope in one resolver releases only that resolver's instances of the scope`(_ name: String) throws
    {
        let resolver = Resolver(), other = Resolver()
        register(on: resolver)
        register(on: other)
        let instances = resolveAll(resolver), others = resolveAll(other)
        resolver.reset(scope: try #require(scopes[name]))
        #expect(changed(instances, in: resolver) == [name])
        #expect(changed(others, in: other) == [])
        #expect(resolver.resolve(Leaf.self, name: .init(name)) !== instances[name])
    }

    @Test func `resetting the application scope of an unused resolver resets its singletons`() {
        func resolver() -> Resolver {
            let resolver = Resolver()
            resolver.register { Leaf() }.scope(.application)
            return resolver
        }
        let first = resolver(), second = resolver()
        let singleton: Leaf = first.resolve()
        second.reset(scope: .application)
        #expect(second.resolve(Leaf.self) !== singleton)
    }

    @Test func `resetting a scope without registrations or instances changes nothing`() {
        let resolver = Resolver()
        register(on: resolver)
        let instances = resolveAll(resolver)
        for scope in [ResolverScopeCache(), ResolverScope.unique, .graph] { resolver.reset(scope: scope) }
        #expect(changed(instances, in: resolver) == [])
    }

    /// A scope with its own table of instances.
    private final class Table: ResolverScopeType {
        let kept = Box<[ObjectIdentifier: any Sendable]>([:])

        func resolve<Service>(
            registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
        ) -> Service? {
            if let kept = kept.value[ObjectIdentifier(registration)] as? Service { return kept }
            let made = registration.instantiate(resolver: resolver, args: args)
            if let object = made as? Counted { kept.update { $0[ObjectIdentifier(registration)] = object } }
            return made
        }

        func release(_ registration: AnyResolverRegistration) {
            let old = kept.update { $0.removeValue(forKey: ObjectIdentifier(registration)) }
            withExtendedLifetime(old) {}
        }

        func reset() { kept.set([:]) }
    }

    @Test func `a scope with its own storage gets the registrations to release`() {
        let table = Table(), alive = Box(0)
        var other: Resolver? = Resolver()
        let resolver = Resolver()
        var steps: [Int] = []
        func step(_ change: () -> Void) {
            _ = resolver.resolve(Counted.self)
            change()
            steps.append(alive.value)
        }
        other?.register { Counted(alive) }.scope(table)
        _ = other?.resolve(Counted.self)
        let options = resolver.register { Counted(alive) }.scope(table)
        step {}
        step { resolver.reset(scope: table) }
        step { resolver.reset(scope: .cached) }
        step { resolver.reset(.scopes) }
        step { options.scope(.unique) }
        options.scope(table)
        step { resolver.register { Counted(alive) }.scope(table) }
        step { resolver.reset(.registrations) }
        #expect(steps == [2, 1, 2, 1, 1, 1, 1])
        other = nil
        #expect(alive.value == 0)
    }

    /// A `Table` as a class, so that it can be the cache of a resolver.
    private final class TableCache: ResolverScope, @unchecked Sendable {
        private let table = Table()

        override func resolve<Service>(
            registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
        ) -> Service? {
            table.resolve(registration: registration, resolver: resolver, args: args)
        }

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
        #expect(steps == [1, 1, 0, 0, 0, 1])
        #expect(alive.value == 0)
    }

    // MARK: Scopes, registrations and both

    @Test func `resetting all scopes releases everything but singletons and keeps the registrations`() {
        let resolver = Resolver(), other = Resolver()
        register(on: resolver)
        register(on: other)
        let instances = resolveAll(resolver), others = resolveAll(other)
        resolver.reset(.scopes)
        #expect(changed(instances, in: resolver) == Set(scopes.keys).subtracting(["application"]))
        #expect(changed(others, in: other) == [])
        let new = resolveAll(resolver)
        #expect(scopes.keys.filter { new[$0] === instances[$0] } == ["application"])
    }

    @Test func `removing the registrations releases their instances`() {
        let alive = Box(0)
        let resolver = Resolver(), other = Resolver()
        for (name, scope) in scopes where name != "application" {
            resolver.register(name: .init(name)) { Counted(alive) }.implements(AnyObject.self, name: .init(name))
                .scope(scope)
            _ = resolver.resolve(AnyObject.self, name: .init(name))
        }
        other.register { Leaf() }
        #expect(alive.value == scopes.count - 2, "all but the singleton and the shared object")
        resolver.reset(.registrations)
        #expect(alive.value == 0)
        for name in scopes.keys {
            let counted = #expect(throws: ResolutionError.self) {
                try resolver.tryResolve(Counted.self, name: .init(name))
            }
            #expect(counted?.code == .notRegistered)
            #expect(resolver.optional(AnyObject.self, name: .init(name)) == nil)
            #expect(resolver.existing(AnyObject.self, name: .init(name)) == nil)
        }
        #expect(other.optional(Leaf.self) != nil)
    }

    @Test func `resetting nothing changes nothing`() {
        let resolver = Resolver()
        register(on: resolver)
        let instances = resolveAll(resolver)
        resolver.reset([])
        #expect(changed(instances, in: resolver) == [])
    }

    @Test func `resetting all releases instances and removes registrations`() {
        let alive = Box(0)
        let resolver = Resolver()
        resolver.register { Counted(alive) }.scope(.cached)
        _ = resolver.resolve(Counted.self)
        resolver.reset(.all)
        #expect(alive.value == 0)
        #expect(resolver.optional(Counted.self) == nil)
    }

    // MARK: The end of a container

    @Test(arguments: KeepingScope.ofOneResolver)
    func `a container caches its instance until it is released`(_ keeping: KeepingScope) {
        weak var instance: Leaf?
        do {
            let inner = Resolver()
            inner.register { Leaf() }.scope(keeping.make())
            instance = Resolver(child: inner).resolve(Leaf.self)
            #expect(instance != nil, "kept by the one that registered it, not by the one that was asked")
            #expect(inner.resolve(Leaf.self) === instance)
        }
        #expect(instance == nil)
    }

    @Test func `resetting the cache of a container releases its container instances`() {
        let alive = Box(0)
        let resolver = Resolver()
        resolver.register { Counted(alive) }.scope(.container)
        resolver.register { Leaf() }.scope(.cached)
        let cached: Leaf = resolver.resolve()
        _ = resolver.resolve(Counted.self)
        resolver.cache.reset()
        #expect(alive.value == 0)
        #expect(resolver.resolve(Leaf.self) === cached)
    }

    @Test func `a container can reset its cache as a scope`() {
        let alive = Box(0)
        let resolver = Resolver(), other = Resolver()
        for container in [resolver, other] { container.register { Counted(alive) }.scope(.container) }
        other.cache = resolver.cache
        let others: Counted = other.resolve()
        _ = resolver.resolve(Counted.self)
        resolver.reset(scope: resolver.cache)
        #expect(alive.value == 1)
        #expect(other.resolve(Counted.self) === others)
    }

    @Test func `a hundred released containers leave no instance`() {
        let alive = Box(0)
        for _ in 0..<100 {
            let resolver = Resolver()
            for keeping in KeepingScope.ofOneResolver {
                resolver.register(name: .init("\(keeping)")) { Counted(alive) }.scope(keeping.make())
                _ = resolver.resolve(Counted.self, name: .init("\(keeping)"))
            }
            #expect(alive.value == KeepingScope.ofOneResolver.count)
        }
        #expect(alive.value == 0)
    }
}
