import Foundation

/// A value behind a lock.
package final class Box<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: Value

    package init(_ value: Value) { stored = value }

    package var value: Value { update { $0 } }

    package func set(_ value: Value) {
        // The old value is released outside of the lock.
        _ = exchange(value)
    }

    /// Stores a value, and returns the one before.
    package func exchange(_ value: Value) -> Value {
        var value = value
        update { swap(&$0, &value) }
        return value
    }

    /// Runs `body` under the lock.
    @discardableResult package func update<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&stored)
    }
}

extension Box<Int> {
    /// Adds one, or `amount`, and returns the sum.
    @discardableResult package func increment(by amount: Int = 1) -> Int {
        update { number in
            number += amount
            return number
        }
    }
}

extension Box where Value: RangeReplaceableCollection {
    package func append(_ element: Value.Element) { update { $0.append(element) } }

    package func append(contentsOf elements: some Sequence<Value.Element>) {
        update { $0.append(contentsOf: elements) }
    }
}
