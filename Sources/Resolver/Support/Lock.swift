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
/// The owner of a lock deallocates it, or destroys it in memory of its own, when no thread can reach it any more.
struct Lock: @unchecked Sendable {
    #if canImport(Darwin)
        typealias Mutex = os_unfair_lock_s
    #else
        // Not `Synchronization.Mutex`: the thread sanitizer does not see its slow path and reports races that are none.
        typealias Mutex = pthread_mutex_t
    #endif

    private let mutex: UnsafeMutablePointer<Mutex>

    init() {
        mutex = .allocate(capacity: 1)
        Lock.initialize(mutex)
    }

    /// A lock that has been initialized in memory of another owner.
    init(at mutex: UnsafeMutablePointer<Mutex>) {
        self.mutex = mutex
    }

    static func initialize(_ mutex: UnsafeMutablePointer<Mutex>) {
        mutex.initialize(to: Mutex())
        #if !canImport(Darwin)
            pthread_mutex_init(mutex, nil)
        #endif
    }

    func destroy() {
        #if !canImport(Darwin)
            pthread_mutex_destroy(mutex)
        #endif
    }

    func deallocate() {
        destroy()
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
