import Resolver
import Testing

/// The first creation of an instance in a scope or an isolating resolver, while other code asks for the same instance.
@Suite struct ScopeCreationTests {
    private typealias Part = Leaf
    private typealias Whole = Holder<Leaf>

    private static let kind = ScopeKind("first creations", rank: 17, binding: .execution)

    /// Where the first instance is created.
    enum Place: String, Codable, CaseIterable, Sendable {
        case scope, isolating

        /// Calls `body` with the resolver that registers, and a function that runs code which resolves through another one.
        func run(_ body: (Resolver, @escaping @Sendable (@Sendable (Resolver) -> Void) -> Void) throws -> Void) rethrows
        {
            let main = Resolver()
            switch self {
            case .scope:
                let handle = ScopeContext.shared.open(ScopeCreationTests.kind, id: "1")
                try body(main) { body in handle.run { body(main) } }
                handle.end()
            case .isolating:
                let own = Resolver(isolating: main)
                try body(main) { body in body(own) }
            }
        }

        @discardableResult func set<Service>(_ options: ResolverOptions<Service>) -> ResolverOptions<Service> {
            self == .scope ? options.scoped(to: ScopeCreationTests.kind) : options.scope(.cached)
        }
    }

    @Test(arguments: Place.allCases)
    func `two threads that need each other's service both get an error`(_ place: Place) async {
        await #expect(processExitsWith: .success) { [place] in
            let bothInside = Rendezvous(2)
            place.run { resolver, enter in
                for (name, other) in [("a", "b"), ("b", "a")] {
                    place.set(
                        resolver.register(name: .init(name)) { resolver -> Part in
                            bothInside.arriveAndWait()
                            return try resolver.tryResolve(Part.self, name: .init(other))
                        })
                }
                let codes = Box<[ResolutionError.Code?]>([])
                Threads.run(2) { index in
                    enter { codes.append($0.failure(Part.self, name: index == 0 ? "a" : "b")?.code) }
                }
                Child.require(codes.value == [.circularDependency, .circularDependency], "\(codes.value)")
            }
        }
    }

    @Test(arguments: Place.allCases)
    func `a service that needs itself is a dependency cycle`(_ place: Place) {
        place.run { resolver, enter in
            place.set(resolver.register { resolver -> Whole in Whole(try resolver.tryResolve()) })
            place.set(resolver.register { resolver -> Part in try resolver.tryResolve(Whole.self).part })
            enter { #expect($0.failure(Whole.self)?.code == .circularDependency) }
        }
    }

    /// The change comes from the factory itself, so it comes while the instance is being created.
    @Test(arguments: Place.allCases, ["reset", "registered again", "unregistered"])
    func `a creation that is overtaken by a change keeps nothing`(_ place: Place, _ change: String) {
        place.run { resolver, enter in
            let isFirst = Box(true)
            place.set(
                resolver.register { [unowned main = resolver] (resolver: Resolver) -> Part in
                    guard isFirst.value else { return Part() }
                    isFirst.set(false)
                    switch change {
                    case "reset": resolver.reset(Part.self)
                    case "registered again": place.set(main.register { Part() })
                    default: main.unregister(Part.self)
                    }
                    return Part()
                })
            enter { resolver in
                let part = resolver.resolve(Part.self)
                #expect(resolver.optional(Part.self) !== part)
            }
        }
    }

    /// - Parameter isOlder: whether the scope began before the service was registered.
    @Test(arguments: ["reset", "registered again", "unregistered", "ended"], [false, true])
    func `a change of a registration releases what a scope keeps, whichever began first`(
        _ change: String, _ isOlder: Bool
    ) {
        let released = Box(0)
        var resolver: Resolver! = Resolver(), scope: ScopeHandle! = nil
        func begin() { scope = ScopeContext.shared.open(ScopeCreationTests.kind, id: "") }
        func register() { resolver.register { Part() }.scoped(to: Self.kind).onRelease { _ in released.increment() } }
        if isOlder { begin() }
        register()
        if !isOlder { begin() }
        scope.run { _ = resolver.resolve(Part.self) }
        switch change {
        case "reset": resolver.reset(Part.self)
        case "registered again": register()
        case "unregistered": resolver.unregister(Part.self)
        default: resolver = nil
        }
        #expect(released.value == 1)
        #expect(scope.instanceCount == 0)
        scope.end()
        #expect(released.value == 1)
    }
}
