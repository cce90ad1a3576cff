/// State that is accessed only while its lock is held. Used as an object, or as the superclass of a class with state.
///
/// Releasing a value may run a `deinit` of the user, which must not happen under the lock: use `discard` and `replace`. It is
/// not enough to return an unused value from `withLock`, because the optimizer then releases it after its last use, under the lock.
///
/// `@unchecked Sendable`: `state` is accessed only in `withLock`, under the lock.
package class Guarded<State>: @unchecked Sendable {
    // The lock excludes overlapping accesses, so the dynamic check is off.
    @exclusivity(unchecked) private final var mutex = Lock.Mutex()
    /// The lock at the address of `mutex`, which never moves, because it is a stored property of an object.
    ///
    /// It is set once, because the thread sanitizer treats each `&mutex` as a change.
    @exclusivity(unchecked) private final var lock: Lock?
    @exclusivity(unchecked) private final var state: State

    init(_ state: consuming State) {
        self.state = state
        lock = withUnsafeMutablePointer(to: &mutex) { mutex in
            Lock.initialize(mutex)
            return Lock(at: mutex)
        }
    }

    /// Creates guarded state for other modules of the package.
    ///
    /// A separate initializer, because Swift 6.3 warns of a recursion that does not exist where a subclass in another module sees
    /// less than its initializer.
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

    /// Changes the state, and releases the result of `body` after the lock is released.
    @inline(__always)
    final func discard<Value>(_ body: (inout State) -> Value) {
        let discarded = withLock(body)
        withExtendedLifetime(discarded) {}
    }

    /// Replaces a value with `new`, and releases the old value after the lock is released.
    @inline(__always)
    final func replace<Value>(_ value: WritableKeyPath<State, Value>, by new: Value) {
        discard { state in
            let old = state[keyPath: value]
            state[keyPath: value] = new
            return old
        }
    }
}
