/// State that can only be reached while its lock is held: an object by itself, or what a class derives from that has a state.
///
/// What is let go of may run a `deinit` of the user, and must not do so under the lock: use `discard` and `replace`. It is
/// not enough to return it and not to use it, because the optimizer then releases it where it is last used, inside.
///
/// `@unchecked Sendable`: `state` is touched in `withLock` alone, and there under the lock.
package class Guarded<State>: @unchecked Sendable {
    // The language would check each access for overlap, which the lock excludes.
    @exclusivity(unchecked) private final var mutex = Lock.Mutex()
    /// That of the mutex, which does not move: it is a stored property of an object. Set once, as the thread sanitizer takes an address
    /// for a change.
    @exclusivity(unchecked) private final var lock: Lock?
    @exclusivity(unchecked) private final var state: State

    init(_ state: State) {
        self.state = state
        lock = withUnsafeMutablePointer(to: &mutex) { mutex in
            Lock.initialize(mutex)
            return Lock(at: mutex)
        }
    }

    /// For other modules of the package. (Swift 6.3 warns of a recursion that is none where a class that derives from this one can see
    /// less than its initializer.)
    package convenience init(holding state: State) {
        self.init(state)
    }

    deinit {
        lock.unsafelyUnwrapped.destroy()
    }

    package final func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let lock = lock.unsafelyUnwrapped
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
