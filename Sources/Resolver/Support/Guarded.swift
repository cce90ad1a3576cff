/// State that can only be reached while its lock is held.
///
/// What is let go of may run a `deinit` of the user, and must not do so under the lock: use `discard` and `replace`. It is
/// not enough to return it and not to use it, because the optimizer then releases it where it is last used, inside.
///
/// `@unchecked Sendable`: `state` is touched in `withLock` alone, and there under the lock. Both live in the tail of one object,
/// at an address that does not change, and not in properties of a class, where the language would check each access for
/// overlap, which the lock excludes.
package struct Guarded<State>: @unchecked Sendable {
    private final class Storage: ManagedBuffer<Lock.Mutex, State> {
        deinit {
            withUnsafeMutablePointers { mutex, state in
                state.deinitialize(count: 1)
                Lock(at: mutex).destroy()
            }
        }
    }

    private let storage: ManagedBuffer<Lock.Mutex, State>

    package init(_ state: State) {
        storage = Storage.create(minimumCapacity: 1) { _ in Lock.Mutex() }
        storage.withUnsafeMutablePointers {
            Lock.initialize($0)
            $1.initialize(to: state)
        }
    }

    package func withLock<Result, Failure: Error>(_ body: (inout State) throws(Failure) -> Result) throws(Failure)
        -> Result
    {
        try storage.withUnsafeMutablePointers { mutex, state throws(Failure) in
            let lock = Lock(at: mutex)
            lock.lock()
            defer { lock.unlock() }
            return try body(&state.pointee)
        }
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
