import BenchmarkSupport
import ConcurrencySupport

// Threads that start at one moment and do equal amounts of work.

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A barrier at which threads wait until the last one arrives.
///
/// `@unchecked Sendable`: `mutex` guards all properties.
private final class StartingLine: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let opened = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var missing: Int
    private var start = 0.0

    init(for threads: Int) {
        missing = threads
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(opened, nil)
    }

    deinit {
        pthread_cond_destroy(opened)
        pthread_mutex_destroy(mutex)
        opened.deallocate()
        mutex.deallocate()
    }

    /// Returns the moment at which the barrier opened, equal for all threads.
    func wait() -> Double {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        missing -= 1
        if missing == 0 {
            start = now()
            pthread_cond_broadcast(opened)
        }
        while missing > 0 { pthread_cond_wait(opened, mutex) }
        return start
    }
}

/// The part of one thread. `@unchecked Sendable`: the thread writes the times, which are read after it was joined.
private final class Runner: @unchecked Sendable {
    private let line: StartingLine
    private let work: () -> Void
    /// The time from the common start to the end.
    private(set) var time = 0.0
    /// The processor time in that span.
    private(set) var running = 0.0

    init(_ line: StartingLine, _ work: @escaping () -> Void) {
        self.line = line
        self.work = work
    }

    func run() {
        let start = line.wait()
        let startOfRunning = processorTime()
        work()
        running = processorTime() - startOfRunning
        time = now() - start
    }
}

/// Performs each of `works` on its own thread, and returns the nanoseconds from the common start to the last end.
///
/// A run in which the threads did not run side by side all the time, because other processes used the processors, says
/// nothing about contention: waiting threads are too slow, and a thread alone with the memory is too fast. Such a run is
/// repeated up to ten times. The last result is accepted, because the threads may block each other.
func timeTogether(_ works: [@Sendable () -> Void]) -> Double {
    var time = 0.0
    for _ in 0..<10 {
        let line = StartingLine(for: works.count)
        let runners = works.map { Runner(line, $0) }
        let threads = runners.map { runner in RunningThread { runner.run() } }
        for thread in threads { thread.join() }
        time = runners.map(\.time).max() ?? 0
        if runners.allSatisfy({ $0.running > 0.97 * time }) { break }
    }
    return time
}
