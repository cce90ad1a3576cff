#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Bionic)
    import Bionic
#endif

/// A mutex at an address that never moves. No user code runs while a lock is held.
///
/// `@unchecked Sendable`: the state is the mutex, which is designed to be shared, and its constant address. The owner of a lock
/// deallocates it, or destroys it in the owner's memory, when no thread can reach it any more.
struct Lock: @unchecked Sendable {
    #if canImport(Darwin)
        typealias Mutex = os_unfair_lock_s
    #else
        // Not `Synchronization.Mutex`: the thread sanitizer does not see its slow path, and reports data races that do not exist.
        typealias Mutex = pthread_mutex_t
    #endif

    private let mutex: UnsafeMutablePointer<Mutex>

    /// Creates a lock of the process, which is never freed.
    init() {
        mutex = .allocate(capacity: 1)
        Lock.initialize(mutex)
    }

    /// Creates a lock from a mutex that is initialized in memory of another owner.
    init(at mutex: UnsafeMutablePointer<Mutex>) { self.mutex = mutex }

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

/// A latch that opens once. Threads that wait for it sleep until then.
///
/// `@unchecked Sendable`: `mutex` guards `isOpen`.
final class Latch: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var isOpen = false

    init() {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        condition = .allocate(capacity: 1)
        condition.initialize(to: pthread_cond_t())
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func open() {
        pthread_mutex_lock(mutex)
        isOpen = true
        pthread_cond_broadcast(condition)
        pthread_mutex_unlock(mutex)
    }

    func wait() {
        pthread_mutex_lock(mutex)
        while !isOpen { pthread_cond_wait(condition, mutex) }
        pthread_mutex_unlock(mutex)
    }
}
