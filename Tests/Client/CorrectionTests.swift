import Dispatch
import Resolver
import Testing

/// Corrections of 1.5.1: each test fails there. A test that compares instances of a scope of the process runs in a
/// process of its own.
@Suite struct CorrectionTests {
    private let resolver = Resolver()

    @Test func `a new registration replaces the old one's instance`() {
        for scope in [ResolverScope.application, .cached, .container, .shared, ResolverScopeCache()] {
            resolver.register { Page("old") }.scope(scope)
            let old: Page = resolver.resolve()
            resolver.register { Page("new") }.scope(scope)
            #expect(resolver.resolve(Page.self).label == "new")
            withExtendedLifetime(old) {}
        }
    }

    @Test func `a new registration releases the old instance at once`() async {
        await #expect(processExitsWith: .success) {
            let resolver = Resolver()
            resolver.register { Leaf() }.scope(.cached)
            weak let old = resolver.resolve(Leaf.self)
            #expect(old != nil)
            resolver.register { Leaf() }.scope(.cached)
            #expect(old == nil)
        }
    }

    @Test func `a named service is found behind its protocol`() {
        resolver.register(name: .fred) { Page("fred") }.implements(Labelled.self, name: .fred).scope(.container)
        let page: Page = resolver.resolve(name: .fred)
        #expect(resolver.resolve(Labelled.self, name: .fred) as? Page === page)
    }

    @Test func `a factory's nil is nil behind its protocol too`() {
        resolver.register(Page.self) { nil }.implements(Labelled.self)
        #expect(resolver.optional(Labelled.self) == nil)
    }

    @Test func `a resolution cycle begins at the outermost call in every scope`() {
        resolver.register { Leaf() }
        resolver.register { Branch($0.resolve()) }
        for scope in [ResolverScope.unique, .cached, .shared, .application, .container] {
            resolver.register { r in Tree(r.resolve(), r.resolve()) }.scope(scope)
            let tree: Tree = resolver.resolve()
            #expect(tree.leaf === tree.branch.leaf)
        }
    }

    /// Two corrections: a factory runs without a lock, and the second thread has its own resolution cycle.
    @Test func `a factory may wait for another thread, which has its own resolution cycle`() throws {
        resolver.register { Leaf() }
        resolver.register { r -> [Leaf?] in
            let second = Guarded<Leaf?>(nil), done = DispatchSemaphore(value: 0)
            let first = r.optional(Leaf.self)
            DispatchQueue.global().async {
                second.withLock { $0 = r.optional() }
                done.signal()
            }
            return done.wait(timeout: .now() + 600) == .success ? [first, second.withLock { $0 }] : []
        }
        let leaves: [Leaf?] = resolver.resolve()
        try #require(leaves.count == 2)
        #expect(leaves[1] != nil)
        #expect(leaves[0] !== leaves[1])
    }

    @Test func `the container scope belongs to the container that registered`() {
        let child = Resolver()
        child.register { Leaf() }.scope(.container)
        let first = Resolver(child: child), second = Resolver(child: child), leaf: Leaf = first.resolve()
        #expect(leaf === second.resolve(Leaf.self))
        first.cache.reset()
        #expect(leaf === child.resolve(Leaf.self))
        child.cache.reset()
        #expect(leaf !== first.resolve(Leaf.self))
    }

    // Outside of the exit test: in the expansion of a macro, all calls have one source location, and are one definition.
    nonisolated private static func define(on resolver: Resolver) {
        resolver.register { Leaf() }.scope(.application)
    }

    nonisolated private static func defineAgain(on resolver: Resolver) {
        resolver.register { Leaf() }.scope(.application)
    }

    @Test func `a singleton belongs to its definition`() async {
        await #expect(processExitsWith: .success) {
            let resolver = Resolver(), other = Resolver(), third = Resolver()
            CorrectionTests.define(on: resolver)
            CorrectionTests.define(on: other)
            CorrectionTests.defineAgain(on: third)
            let leaf: Leaf = resolver.resolve()
            #expect(leaf === other.resolve(Leaf.self))
            #expect(leaf !== third.resolve(Leaf.self))
        }
    }

    @Test func `a definition that runs again renews its singleton`() {
        func define() { resolver.register { Leaf() }.scope(.application) }
        define()
        let leaf: Leaf = resolver.resolve()
        define()
        #expect(leaf !== resolver.resolve(Leaf.self))
    }

    @Test func `two containers cache two instances and release them when they end`() async {
        await #expect(processExitsWith: .success) {
            for scope in [ResolverScope.cached, .container, .shared, .session] {
                let resolver = Resolver()
                var other: Resolver? = Resolver()
                resolver.register { Leaf() }.scope(scope)
                other?.register { Leaf() }.scope(scope)
                let leaf: Leaf = resolver.resolve()
                var otherLeaf = other?.resolve(Leaf.self)
                #expect(leaf !== otherLeaf)
                scope.reset()
                let isReset = scope !== ResolverScope.container
                #expect((leaf !== resolver.resolve(Leaf.self)) == isReset)
                #expect((otherLeaf !== other?.resolve(Leaf.self)) == isReset)
                otherLeaf = nil
                weak let kept = other?.resolve(Leaf.self)
                #expect((kept != nil) == (scope !== ResolverScope.shared))
                other = nil
                #expect(kept == nil)
            }
        }
    }

    @Test func `a released lazy service is resolved again`() {
        resolver.register { Leaf() }
        var wrapper = LazyInjected<Leaf>(container: resolver)
        let first = wrapper.wrappedValue
        wrapper.release()
        #expect(wrapper.isEmpty)
        #expect(first !== wrapper.wrappedValue)
    }

    nonisolated private final class RootOnly {}

    @Test func `an optional service of a container is resolved from that container only`() {
        Resolver.root.register { RootOnly() }
        let wrapper = OptionalInjected<RootOnly>(container: resolver)
        #expect(wrapper.wrappedValue == nil)
        #expect(OptionalInjected<RootOnly>().wrappedValue != nil)
    }

    @Test func `containers may be children of each other`() {
        let other = Resolver(child: resolver)
        resolver.add(child: other)
        other.register { Leaf() }
        #expect(resolver.optional(Leaf.self) != nil)
        #expect(resolver.optional(Page.self) == nil)
    }

    @Test func `a dependency cycle is an error with its path`() {
        resolver.register(name: .fred) { r in try Branch(r.tryResolve()) }
        resolver.register { r -> Leaf in
            _ = try r.tryResolve(Branch.self, name: .fred)
            return Leaf()
        }
        let error = #expect(throws: ResolutionError.self) { try resolver.tryResolve(Branch.self, name: .fred) }
        #expect(error?.code == .circularDependency)
        #expect(error?.path.map(\.name) == ["Fred", nil, "Fred"])
    }
}
