#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A place where one thread waits for a value from another thread or a task.
///
/// `@unchecked Sendable`: `mutex` guards `value`.
public final class Handover<Value: Sendable>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let brought = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var value: Value?

    public init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(brought, nil)
    }

    deinit {
        pthread_cond_destroy(brought)
        pthread_mutex_destroy(mutex)
        brought.deallocate()
        mutex.deallocate()
    }

    public func bring(_ value: Value) {
        pthread_mutex_lock(mutex)
        self.value = value
        pthread_cond_signal(brought)
        pthread_mutex_unlock(mutex)
    }

    public func take() -> Value {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let value { return value }
            pthread_cond_wait(brought, mutex)
        }
    }
}
