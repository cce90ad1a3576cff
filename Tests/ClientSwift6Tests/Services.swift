import Foundation
import Resolver

// The services of this target's tests, and extensions as an app writes them, without annotations.
//
// Tests run in parallel, and any test may reset a process-wide scope. A test that compares instances keeps them in
// `.container` or in its own scope.

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

/// An object with one dependency.
final class Branch: Sendable {
    let leaf: Leaf

    init(_ leaf: Leaf) {
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

/// An object that is not `Sendable`: services need not be.
class Page: Labelled, Counting {
    var label: String
    var count: Int

    init(_ label: String = "page", count: Int = 0) {
        self.label = label
        self.count = count
    }
}

/// A value behind a protocol.
struct Sign: Labelled, Sendable {
    var label: String
}

/// An object of the main actor.
@MainActor
final class ViewModel {
    var title: String

    init(_ title: String = "title") {
        self.title = title
    }
}

/// An error of a factory.
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
