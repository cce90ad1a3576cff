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
    package convenience init(holding state: State) { self.init(state) }

    deinit { lock.unsafelyUnwrapped.destroy() }

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

/// A latch that opens once. Tasks that wait for it are suspended until then, or until they are cancelled.
///
/// A checked continuation costs as much as all else here. Each one is taken out under the lock, and then resumed by the code that took it.
package class TaskLatch: Guarded<TaskLatch.State>, @unchecked Sendable {
    package struct State {
        fileprivate var isOpen = false
        fileprivate var waiting = Slab<UnsafeContinuation<Void, any Error>>()
    }

    package init() { super.init(State()) }

    final var isOpen: Bool { withLock { $0.isOpen } }

    @inline(never)
    package final func open() {
        let waiting = withLock { state in
            state.isOpen = true
            return state.waiting.removeAll()
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits until the latch opens.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before the latch opens.
    package final nonisolated(nonsending) func wait() async throws {
        let index = withLock { $0.waiting.reserve() }
        // The cancellation handler cannot run after the call has returned, so the index can be freed. The lock also orders this task
        // after the thread that opened the latch: that thread held it after it wrote what this task is about to read.
        defer { withLock { _ = $0.waiting.remove(at: index) } }
        try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                let result: Result<Void, any Error>? = withLock { state in
                    if state.isOpen { return .success(()) }
                    // After a later cancellation, the handler finds the continuation.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    state.waiting.put(continuation, at: index)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            withLock { $0.waiting.take(at: index) }?.resume(throwing: CancellationError())
        }
    }
}

extension Lock {
    /// Runs `body` while the lock is held, for state that is elsewhere.
    func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        lock()
        defer { unlock() }
        return try body()
    }
}
