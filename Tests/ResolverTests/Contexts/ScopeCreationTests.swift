import Resolver
import Testing

/// The first creation of an instance in a scope or an isolating resolver, while other code asks for the same instance.
@Suite struct ScopeCreationTests {
    private typealias Part = Leaf
    private typealias Whole = Holder<Leaf>

    private static let kind = ScopeKind("first creations", rank: 17, binding: .execution)

    @Test func `two threads that need each other's service in one scope both get an error`() async {
        await #expect(processExitsWith: .success) {
            let resolver = Resolver(), scope = ScopeContext.shared.open(ScopeCreationTests.kind, id: "")
            let bothInside = Rendezvous(2)
            for (name, other) in [("a", "b"), ("b", "a")] {
                resolver.register(name: .init(name)) { resolver -> Part in
                    bothInside.arriveAndWait()
                    return try resolver.tryResolve(Part.self, name: .init(other))
                }.scoped(to: ScopeCreationTests.kind)
            }
            let codes = await Threads.results(2) { index in
                scope.run { resolver.failure(Part.self, name: index == 0 ? "a" : "b")?.code }
            }
            expect(codes, is: [.circularDependency, .circularDependency])
        }
    }

    @Test func `a service that needs itself in a scope is a dependency cycle`() {
        let resolver = Resolver()
        resolver.register { resolver -> Whole in Whole(try resolver.tryResolve()) }.scoped(to: Self.kind)
        resolver.register { resolver -> Part in try resolver.tryResolve(Whole.self).part }.scoped(to: Self.kind)
        let error = Resolver.withScope(Self.kind, id: "") { resolver.failure(Whole.self) }
        expect(error?.code, is: .circularDependency)
    }

    /// - Parameter begins: when the scope begins. The first of the scopes that have used a registration are noted, and later ones are not.
    @Test(
        arguments: ["reset", "registered again", "unregistered", "ended"],
        ["before the service is registered", "after that", "after many others"])
    func `a changed registration releases what scopes keep, whichever began first`(_ change: String, _ begins: String) {
        let released = Box(0)
        var resolver: Resolver! = Resolver(), scope: ScopeHandle! = nil
        func begin() { scope = ScopeContext.shared.open(ScopeCreationTests.kind, id: "") }
        func register() { resolver.register { Part() }.scoped(to: Self.kind).onRelease { _ in released.increment() } }
        if begins.hasPrefix("before") { begin() }
        register()
        if begins == "after many others" {
            for _ in 0..<300 { Resolver.withScope(Self.kind, id: "") { _ = resolver.resolve(Part.self) } }
            released.set(0)
        }
        if begins.hasPrefix("after") { begin() }
        scope.run { _ = resolver.resolve(Part.self) }
        switch change {
        case "reset": resolver.reset(Part.self)
        case "registered again": register()
        case "unregistered": resolver.unregister(Part.self)
        default: resolver = nil
        }
        expect(released.value, is: 1)
        expect(scope.instanceCount, is: 0)
        scope.end()
        expect(released.value, is: 1)
    }
}
