import Resolver

// What the tests of this target register. What is not marked `nonisolated` lives on the main actor.

nonisolated extension Resolver.Name {
    static let fred = Self("Fred")
    static let barney = Self("Barney")
}

nonisolated extension ResolverScope {
    static let session = ResolverScopeCache()
}

nonisolated extension Resolver {
    static let mock = Resolver(child: .main)
}

/// An object with nothing but its identity.
nonisolated final class Leaf: Sendable {}

/// A contract that any actor may use.
nonisolated protocol Labelled {
    var label: String { get }
}

/// A second contract, for services that have several.
nonisolated protocol Counting {
    var count: Int { get }
}

/// A service that belongs to no actor.
nonisolated class Page: Labelled, Counting {
    var label: String
    var count: Int

    init(_ label: String = "page", count: Int = 0) {
        self.label = label
        self.count = count
    }
}

/// A value behind a contract.
nonisolated struct Sign: Labelled, Sendable {
    var label: String
}

/// A contract of the main actor.
protocol Titled: AnyObject {
    var title: String { get }
}

/// An object of the main actor.
final class Model: Titled {
    var title: String
    var count: Int

    init(_ title: String = "model", count: Int = 0) {
        self.title = title
        self.count = count
    }
}

/// An object of the main actor with a title alone.
final class ViewModel {
    var title: String

    init(_ title: String = "title") {
        self.title = title
    }
}

/// A failure of a factory's own.
nonisolated struct Unplugged: Error {
    var socket: Int
}
