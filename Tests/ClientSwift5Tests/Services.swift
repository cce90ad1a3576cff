import Resolver

// The services of this target's tests: types from the time of 1.5.1 without concurrency annotations.

/// An object with nothing but its identity.
class Leaf {}

/// An object with one dependency.
class Branch {
    let leaf: Leaf

    init(_ leaf: Leaf) {
        self.leaf = leaf
    }
}

/// An object that needs the same service on two paths.
class Tree {
    let branch: Branch
    let leaf: Leaf

    init(_ branch: Branch, _ leaf: Leaf) {
        self.branch = branch
        self.leaf = leaf
    }
}

/// A protocol of objects and values.
protocol Labelled {
    var label: String { get }
}

/// A second protocol, for services with several aliases.
protocol Counting {
    var count: Int { get }
}

/// An object that shows the arguments of its initializer.
class Page: Labelled, Counting {
    var label: String
    var count: Int

    init(_ label: String = "page", count: Int = 0) {
        self.label = label
        self.count = count
    }
}

/// A value. Two values with the same number are the same instance.
struct Stamp: Equatable {
    private static var last = 0
    let number: Int

    init() {
        Stamp.last += 1
        number = Stamp.last
    }
}

/// A value behind a protocol.
struct Sign: Labelled {
    var label: String
}

/// Records events in order.
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
