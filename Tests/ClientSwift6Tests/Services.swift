import Foundation
import Resolver

// What the tests of this target register, and the extensions that an app writes: nothing of the latter is annotated.
//
// Tests run beside each other, and any of them may reset a scope of the whole process; so a test that compares instances
// keeps them in `.container`, or in a scope of its own.

extension Resolver.Name {
    static let fred = Self("Fred")
    static let barney = Self("Barney")
}

extension ResolverScope {
    static let session = ResolverScopeCache()
}

extension Resolver {
    static let mock = Resolver(child: .main)
}

/// An object with nothing but its identity.
final class Leaf: Sendable {}

/// An object that needs another one.
final class Branch: Sendable {
    let leaf: Leaf

    init(_ leaf: Leaf) {
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

/// An object that is not `Sendable`: services need not be.
class Page: Labelled, Counting {
    var label: String
    var count: Int

    init(_ label: String = "page", count: Int = 0) {
        self.label = label
        self.count = count
    }
}

/// A value behind a contract.
struct Sign: Labelled, Sendable {
    var label: String
}

/// An object that lives on the main actor.
@MainActor
final class ViewModel {
    var title: String

    init(_ title: String = "title") {
        self.title = title
    }
}

/// A failure of a factory's own.
struct Unplugged: Error, Equatable {
    var socket: Int
}

/// State that is guarded by a lock.
///
/// `@unchecked Sendable`: `value` is reached through the lock only.
final class Guarded<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) {
        self.value = value
    }

    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
