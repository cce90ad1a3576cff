import Resolver
import Testing

/// How each scope treats objects, values and names. The tests reset scopes of the process, so each runs in a process of
/// its own.
@Suite struct ScopeTests {
    nonisolated private struct Kind: Sendable {
        var name: String
        var scope: ResolverScope
        /// Whether it retains instances: objects and values.
        var keeps: Bool
        /// Whether a second call gets the same object while it is referenced.
        var shares: Bool
        var reset: (@Sendable (Resolver) -> Void)?
    }

    nonisolated private static let kinds = [
        Kind(name: "graph", scope: .graph, keeps: false, shares: false),
        Kind(name: "unique", scope: .unique, keeps: false, shares: false),
        Kind(name: "1.5.1's unique", scope: ResolverScopeUnique(), keeps: false, shares: false),
        Kind(name: "shared", scope: .shared, keeps: false, shares: true) { _ in ResolverScope.shared.reset() },
        Kind(name: "application", scope: .application, keeps: true, shares: true) { _ in
            ResolverScope.application.reset()
        },
        Kind(name: "cached", scope: .cached, keeps: true, shares: true) { _ in ResolverScope.cached.reset() },
        Kind(name: "container", scope: .container, keeps: true, shares: true) { $0.cache.reset() },
    ]

    nonisolated private struct Stamp: Equatable {
        private static let last = Guarded(0)
        let number = last.increment()
    }

    @Test func `a scope shares or caches objects until its reset`() async {
        await #expect(processExitsWith: .success) {
            for kind in ScopeTests.kinds {
                let resolver = Resolver()
                resolver.register { Leaf() }.scope(kind.scope)
                func leaf() -> Leaf { resolver.resolve() }
                var first: Leaf? = leaf()
                #expect((first === leaf()) == kind.shares, "\(kind.name)")
                if let reset = kind.reset {
                    reset(resolver)
                    let second = leaf()
                    #expect(first !== second, "\(kind.name)")
                    #expect(second === leaf(), "\(kind.name)")
                    first = second
                }
                weak let observed = first
                first = nil
                #expect((observed != nil) == kind.keeps, "\(kind.name)")
                if let observed { #expect(observed === leaf(), "\(kind.name)") }
            }
        }
    }

    @Test func `only a scope that retains instances caches values`() async {
        await #expect(processExitsWith: .success) {
            for kind in ScopeTests.kinds {
                let resolver = Resolver()
                resolver.register { Stamp() }.scope(kind.scope)
                resolver.register { r in [r.resolve(), r.resolve()] as [Stamp] }
                let pair = resolver.resolve([Stamp].self), first: Stamp = resolver.resolve()
                #expect((pair[0] == pair[1]) == kind.keeps, "\(kind.name)")
                #expect((resolver.resolve(Stamp.self) == first) == kind.keeps, "\(kind.name)")
                kind.reset?(resolver)
                #expect(resolver.resolve(Stamp.self) != first, "\(kind.name)")
                resolver.register { Sign(label: "\(Stamp().number)") as Labelled }.scope(kind.scope)
                let label = resolver.resolve(Labelled.self).label
                #expect((resolver.resolve(Labelled.self).label == label) == kind.keeps, "\(kind.name)")
            }
        }
    }

    /// The same service on two paths of one resolution cycle.
    @Test func `every scope but unique shares an object within a resolution cycle`() async {
        await #expect(processExitsWith: .success) {
            func check(_ scope: ResolverScope?, isShared: Bool, isKept: Bool, _ name: String) {
                let resolver = Resolver()
                resolver.register { r in Branch(r.resolve()) }
                resolver.register { r in Tree(r.resolve(), r.resolve()) }
                let options = resolver.register { Leaf() }
                if let scope { options.scope(scope) }
                let tree: Tree = resolver.resolve()
                #expect((tree.leaf === tree.branch.leaf) == isShared, "\(name)")
                #expect((tree.leaf === resolver.resolve(Leaf.self)) == isKept, "\(name)")
            }
            for kind in ScopeTests.kinds {
                check(kind.scope, isShared: !kind.name.hasSuffix("unique"), isKept: kind.shares, kind.name)
            }
            check(nil, isShared: true, isKept: false, "the default")
        }
    }

    /// Three services, each resolved twice within one resolution cycle.
    nonisolated private final class Grove {
        let leaves: [Leaf]

        init(_ leaves: [Leaf]) { self.leaves = leaves }

        var distinct: Int { Set(leaves.map { ObjectIdentifier($0) }).count }
    }

    @Test func `a name is a separate service with its own instance in every scope`() async {
        await #expect(processExitsWith: .success) {
            for kind in ScopeTests.kinds {
                let resolver = Resolver()
                let names: [Resolver.Name?] = [nil, .fred, .barney]
                for name in names { resolver.register(name: name) { Leaf() }.scope(kind.scope) }
                resolver.register { r in Grove((names + names).map { r.resolve(name: $0) }) }
                let first: Grove = resolver.resolve(), second: Grove = resolver.resolve()
                let counts = [first.distinct, second.distinct, Grove(first.leaves + second.leaves).distinct]
                let isUnique = kind.name.hasSuffix("unique")
                #expect(counts == (isUnique ? [6, 6, 12] : [3, 3, kind.shares ? 3 : 6]), "\(kind.name)")
            }
        }
    }

    @Test func `a caching scope does not cache nil`() {
        let resolver = Resolver(), runs = Guarded(0)
        resolver.register(Leaf.self) { runs.increment() == 1 ? nil : Leaf() }.scope(.container)
        #expect(resolver.optional(Leaf.self) == nil)
        #expect(resolver.resolve(Leaf.self) === resolver.resolve(Leaf.self))
        #expect(runs.withLock { $0 } == 2)
    }

    @Test func `the last scope of a registration applies`() {
        let resolver = Resolver()
        resolver.register { Leaf() }.scope(.container).scope(.unique)
        #expect(resolver.resolve(Leaf.self) !== resolver.resolve(Leaf.self))
    }
}
