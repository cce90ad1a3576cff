import Resolver

// What the tests of this target register: types as an app of 1.5.1's time has them, none of which knows of concurrency.

/// An object with nothing but its identity.
class Leaf {}

/// An object that needs another one.
class Branch {
    let leaf: Leaf

    init(_ leaf: Leaf) {
        self.leaf = leaf
    }
}

/// An object that needs the same service by two ways.
class Tree {
    let branch: Branch
    let leaf: Leaf

    init(_ branch: Branch, _ leaf: Leaf) {
        self.branch = branch
        self.leaf = leaf
    }
}

/// A contract that objects and values fulfil.
protocol Labelled {
    var label: String { get }
}

/// A second contract, for services that have several.
protocol Counting {
    var count: Int { get }
}

/// An object that shows what it was made with.
class Page: Labelled, Counting {
    var label: String
    var count: Int

    init(_ label: String = "page", count: Int = 0) {
        self.label = label
        self.count = count
    }
}

/// A value; two of them with the same number are the same instance.
struct Stamp: Equatable {
    private static var last = 0
    let number: Int

    init() {
        Stamp.last += 1
        number = Stamp.last
    }
}

/// A value behind a contract.
struct Sign: Labelled {
    var label: String
}

/// Remembers what happened, in order.
class Journal {
    var entries: [String] = []
}

extension Resolver.Name {
    static let fred = Self("Fred")
    static let barney = Self("Barney")
}

extension ResolverScope {
    static let session = ResolverScopeCache()
}
