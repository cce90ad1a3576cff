// The clocks of the system. Swift's own clocks need newer systems than the package does.

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Returns nanoseconds since a moment in the past.
public func now() -> Double { nanoseconds(CLOCK_MONOTONIC) }

/// Returns the processor time of the calling thread in nanoseconds. Interruptions by other processes do not count.
public func processorTime() -> Double { nanoseconds(CLOCK_THREAD_CPUTIME_ID) }

/// Returns the processor time of all threads of this process in nanoseconds.
public func processorTimeOfAllThreads() -> Double { nanoseconds(CLOCK_PROCESS_CPUTIME_ID) }

private func nanoseconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}
