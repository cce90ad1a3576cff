import Foundation

/// A value that several threads use, one at a time.
package final class Locked<Value>: @unchecked Sendable {
    private let lock = NSRecursiveLock()
    private var stored: Value

    package init(_ value: Value) {
        stored = value
    }

    package var value: Value {
        get { update { $0 } }
        set { update { $0 = newValue } }
    }

    package func update<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&stored)
    }
}
