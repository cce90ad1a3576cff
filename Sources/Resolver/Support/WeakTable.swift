/// A weak reference as a value.
///
/// `@unchecked Sendable`: it is set once, and any thread may read a Swift weak reference.
struct WeakReference: @unchecked Sendable {
    private(set) weak var object: AnyObject?

    init(_ object: AnyObject) { self.object = object }
}

/// A table of weakly held objects. Part of a state behind a lock: `Guarded.alive` reads it, and `Guarded.removeDead` removes dead entries.
struct WeakTable<Key: Hashable & Sendable>: Sendable {
    /// The number shows whether the entry was replaced by another one.
    fileprivate typealias Entry = (number: UInt64, reference: WeakReference)

    private static var least: Int { 16 }

    fileprivate var entries: [Key: Entry] = [:]
    private var limit = WeakTable.least

    subscript(key: Key) -> AnyObject? { entries[key]?.reference.object }

    func contains(_ key: Key) -> Bool { entries[key] != nil }

    /// Whether the table has grown enough to remove dead entries.
    var isFull: Bool { entries.count > limit }

    mutating func insert(_ object: AnyObject, for key: Key) {
        entries[key] = (ProcessIdentity.next(), WeakReference(object))
    }

    /// Removes the dead entries that were not replaced meanwhile.
    ///
    /// - Returns: the entries. The caller releases them outside the lock.
    fileprivate mutating func remove(_ dead: [(key: Key, value: Entry)]) -> [Entry] {
        let removed = dead.compactMap { key, old in
            entries[key]?.number == old.number ? entries.removeValue(forKey: key) : nil
        }
        limit = max(WeakTable.least, 2 * entries.count)
        return removed
    }
}

extension Guarded {
    /// Returns the objects that are alive. Removes the dead entries if they are the majority: many objects may have ended since the last
    /// insertion.
    final func alive<Key>(in table: WritableKeyPath<State, WeakTable<Key>>) -> [AnyObject] {
        let references = withLock { $0[keyPath: table].entries.values.map(\.reference) }
        let alive = references.compactMap(\.object)
        if alive.count < references.count / 2 { removeDead(from: table) }
        return alive
    }

    /// Removes the entries whose objects have been deallocated.
    @inline(__always)
    final func removeDead<Key>(from table: WritableKeyPath<State, WeakTable<Key>>) {
        // Weak references are read outside the lock, because the loaded reference may be the last one.
        // The entries are copied and not only retained, because other threads go on writing.
        let entries = withLock { state in
            state[keyPath: table].entries.isEmpty ? [] : state[keyPath: table].entries.map { $0 }
        }
        if entries.isEmpty { return }
        let dead = entries.filter { $0.value.reference.object == nil }
        discard { $0[keyPath: table].remove(dead) }
    }
}
