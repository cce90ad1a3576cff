import Resolver

// The services of this target's tests. Declarations without `nonisolated` belong to the main actor.

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

/// A protocol that any actor may use.
nonisolated protocol Labelled {
    var label: String { get }
}

/// A second protocol, for services with several aliases.
nonisolated protocol Counting {
    var count: Int { get }
}

/// A nonisolated service.
nonisolated class Page: Labelled, Counting {
    var label: String
    var count: Int

    init(_ label: String = "page", count: Int = 0) {
        self.label = label
        self.count = count
    }
}

/// A value behind a protocol.
nonisolated struct Sign: Labelled, Sendable {
    var label: String
}

/// A protocol of the main actor.
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

/// An object of the main actor with only a title.
final class ViewModel {
    var title: String

    init(_ title: String = "title") {
        self.title = title
    }
}

/// An error of a factory.
nonisolated struct Unplugged: Error {
    var socket: Int
}
