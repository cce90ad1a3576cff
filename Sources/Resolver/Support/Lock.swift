#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Bionic)
    import Bionic
#endif

/// A mutex at an address that never moves. No user code runs while one is held.
///
/// `@unchecked Sendable`: the only state is the mutex itself, which is made to be shared, and its address, a constant.
/// Whoever makes a lock deallocates it when nobody can reach it any more.
struct Lock: @unchecked Sendable {
    #if canImport(Darwin)
        private let mutex: UnsafeMutablePointer<os_unfair_lock_s>
    #else
        // Not `Synchronization.Mutex`: the thread sanitizer does not see its slow path and reports races that are none.
        private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    #endif

    init() {
        mutex = .allocate(capacity: 1)
        #if canImport(Darwin)
            mutex.initialize(to: os_unfair_lock_s())
        #else
            mutex.initialize(to: pthread_mutex_t())
            pthread_mutex_init(mutex, nil)
        #endif
    }

    func deallocate() {
        #if !canImport(Darwin)
            pthread_mutex_destroy(mutex)
        #endif
        mutex.deallocate()
    }

    @inline(__always)
    func lock() {
        #if canImport(Darwin)
            os_unfair_lock_lock(mutex)
        #else
            pthread_mutex_lock(mutex)
        #endif
    }

    @inline(__always)
    func unlock() {
        #if canImport(Darwin)
            os_unfair_lock_unlock(mutex)
        #else
            pthread_mutex_unlock(mutex)
        #endif
    }
}
