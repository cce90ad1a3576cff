// Each file of the target may use values behind a lock.
@_exported import ConcurrencySupport
import Resolver

// The services of the client targets. Each target compiles these files in its own language mode. `nonisolated` matters
// where the main actor is the default isolation.
//
// Tests run in parallel, and any test may reset a process-wide scope. A test that compares instances keeps them in
// `.container` or in its own scope.

nonisolated extension Resolver.Name { static let fred = Self("Fred"), barney = Self("Barney") }

nonisolated extension ResolverScope { static let session = ResolverScopeCache() }

nonisolated extension Resolver {
    /// The resolver of the tests of property wrappers.
    static let shelf: Resolver = {
        let resolver = Resolver()
        resolver.register { Note() }.scope(.container)
        resolver.register(name: .fred) { Note("fred") }
        resolver.register { @MainActor in Screen() }.scope(.container)
        resolver.register { Page("shelf") }.scope(.container)
        resolver.register(name: .fred) { (_, args) in Page(args.optional() ?? "fred") }
        return resolver
    }()
}

/// An object with nothing but its identity.
nonisolated final class Leaf: Sendable {}

nonisolated final class Branch: Sendable {
    let leaf: Leaf
    init(_ leaf: Leaf) { self.leaf = leaf }
}

/// An object that needs the same service on two paths.
nonisolated final class Tree: Sendable {
    let branch: Branch, leaf: Leaf
    init(_ branch: Branch, _ leaf: Leaf) { (self.branch, self.leaf) = (branch, leaf) }
}

/// A protocol of objects and values.
nonisolated protocol Labelled { var label: String { get } }

/// A second protocol, for services with several aliases.
nonisolated protocol Counting { var count: Int { get } }

/// An object that is not `Sendable`: services need not be.
nonisolated class Page: Labelled, Counting {
    var label: String
    var count: Int

    init(_ label: String = "page", count: Int = 0) { (self.label, self.count) = (label, count) }
}

nonisolated struct Sign: Labelled, Sendable { var label: String }

@MainActor final class ViewModel {
    var title: String
    init(_ title: String = "title") { self.title = title }
}

nonisolated struct Unplugged: Error, Equatable { var socket = 1 }
