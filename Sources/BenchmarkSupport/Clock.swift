// The clocks of the system. Swift's own need newer systems than the package does.

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Nanoseconds since some moment in the past.
public func now() -> Double { nanoseconds(CLOCK_MONOTONIC) }

/// Nanoseconds that the calling thread has been running: other processes can interrupt it, but not count.
public func processorTime() -> Double { nanoseconds(CLOCK_THREAD_CPUTIME_ID) }

/// Nanoseconds that all threads of this process have been running, added up.
public func processorTimeOfAllThreads() -> Double { nanoseconds(CLOCK_PROCESS_CPUTIME_ID) }

private func nanoseconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}
