/// State that can only be reached while its lock is held: an object by itself, or what a class derives from that has a state.
///
/// What is let go of may run a `deinit` of the user, and must not do so under the lock: use `discard` and `replace`. It is
/// not enough to return it and not to use it, because the optimizer then releases it where it is last used, inside.
///
/// `@unchecked Sendable`: `state` is touched in `withLock` alone, and there under the lock.
package class Guarded<State>: @unchecked Sendable {
    // The language would check each access for overlap, which the lock excludes. Stored properties of an object do not move.
    @exclusivity(unchecked) private final var mutex = Lock.Mutex()
    @exclusivity(unchecked) private final var state: State

    init(_ state: State) {
        self.state = state
        withUnsafeMutablePointer(to: &mutex, Lock.initialize)
    }

    /// For other modules of the package. (Swift 6.3 warns of a recursion that is none where a class that derives from this one can see
    /// less than its initializer.)
    package convenience init(holding state: State) {
        self.init(state)
    }

    deinit {
        withUnsafeMutablePointer(to: &mutex) { Lock(at: $0).destroy() }
    }

    package final func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let lock = withUnsafeMutablePointer(to: &mutex) { Lock(at: $0) }
        lock.lock()
        defer {
            lock.unlock()
            withExtendedLifetime(self) {}
        }
        return try body(&state)
    }

    /// Changes the state, and releases what `body` returns after the lock.
    @inline(__always)
    final func discard<Value>(_ body: (inout State) -> Value) {
        let discarded = withLock(body)
        withExtendedLifetime(discarded) {}
    }

    /// Puts `new` in the place of a value, which is released after the lock.
    @inline(__always)
    final func replace<Value>(_ value: WritableKeyPath<State, Value>, by new: Value) {
        discard { state in
            let old = state[keyPath: value]
            state[keyPath: value] = new
            return old
        }
    }
}
