/// A weak reference as a value.
///
/// `@unchecked Sendable`: it is set once, and Swift's weak references may be read by any thread.
struct WeakReference: @unchecked Sendable {
    private(set) weak var object: AnyObject?

    init(_ object: AnyObject) {
        self.object = object
    }
}

/// Objects under keys, held weakly: part of a state behind a lock. See `Guarded.removeDead`.
struct WeakTable<Key: Hashable & Sendable>: Sendable {
    /// The number tells whether it is still the same one.
    fileprivate typealias Entry = (number: UInt64, reference: WeakReference)

    private static var least: Int { 16 }

    fileprivate var entries: [Key: Entry] = [:]
    private var limit = WeakTable.least

    subscript(key: Key) -> AnyObject? { entries[key]?.reference.object }

    func contains(_ key: Key) -> Bool { entries[key] != nil }

    /// Whether there are so many entries that those that are dead should be taken out.
    var isFull: Bool { entries.count > limit }

    var references: [WeakReference] { entries.values.map(\.reference) }

    mutating func insert(_ object: AnyObject, for key: Key) {
        entries[key] = (ProcessIdentity.next(), WeakReference(object))
    }

    /// - Returns: what has to be released outside the lock.
    fileprivate mutating func remove(_ dead: [(key: Key, value: Entry)]) -> [Entry] {
        let removed = dead.compactMap { key, old in
            entries[key]?.number == old.number ? entries.removeValue(forKey: key) : nil
        }
        limit = max(WeakTable.least, 2 * entries.count)
        return removed
    }
}

extension Guarded {
    /// Takes out objects that are no longer held.
    @inline(__always)
    final func removeDead<Key>(from table: WritableKeyPath<State, WeakTable<Key>>) {
        // Asked outside the lock: what a weak reference answers may be the last reference.
        // Copied and not only retained, as others go on writing.
        let entries = withLock { state in
            state[keyPath: table].entries.isEmpty ? [] : state[keyPath: table].entries.map { $0 }
        }
        if entries.isEmpty { return }
        let dead = entries.filter { $0.value.reference.object == nil }
        discard { $0[keyPath: table].remove(dead) }
    }
}
