/// State that can only be reached while its lock is held.
///
/// What is let go of may run a `deinit` of the user, and must not do so under the lock: use `discard` and `replace`. It is
/// not enough to return it and not to use it, because the optimizer then releases it where it is last used, inside.
///
/// `@unchecked Sendable`: `state` is touched in `withLock` alone, and there under the lock. It has memory of its own, because
/// the language checks each access to a property of a class for overlap, which the lock excludes.
final class Guarded<State>: @unchecked Sendable {
    private let lock = Lock()
    private let state: UnsafeMutablePointer<State>

    init(_ state: State) {
        self.state = .allocate(capacity: 1)
        self.state.initialize(to: state)
    }

    deinit {
        state.deinitialize(count: 1)
        state.deallocate()
        lock.deallocate()
    }

    func withLock<Result, Failure: Error>(_ body: (inout State) throws(Failure) -> Result) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&state.pointee)
    }

    /// Changes the state, and releases what `body` returns after the lock.
    func discard<Value>(_ body: (inout State) -> Value) {
        let discarded = withLock(body)
        withExtendedLifetime(discarded) {}
    }

    /// Puts `new` in the place of a value, which is released after the lock.
    func replace<Value>(_ value: WritableKeyPath<State, Value>, by new: Value) {
        discard { state in
            let old = state[keyPath: value]
            state[keyPath: value] = new
            return old
        }
    }
}
