import Foundation

/// Real threads: what blocks in these tests must not block the cooperative pool.
enum Threads {
    /// Runs `body` on `count` threads that start together, and returns when all have ended.
    static func run(_ count: Int, stackSize: Int? = nil, _ body: @escaping @Sendable (_ index: Int) -> Void) {
        let start = Rendezvous(count)
        let threads = (0..<count).map { index in
            RunningThread(stackSize: stackSize) {
                start.arriveAndWait()
                body(index)
            }
        }
        for thread in threads { thread.join() }
    }

    /// Runs each body on a thread of its own.
    static func run(_ bodies: (@Sendable () -> Void)...) {
        let bodies = bodies
        run(bodies.count) { bodies[$0]() }
    }

    /// Runs `body` on one thread with a stack of this many bytes.
    static func withStack<Result: Sendable>(
        of bytes: Int, _ body: @escaping @Sendable () -> Result
    ) -> Result {
        let result = Box<Result?>(nil)
        run(1, stackSize: bytes) { _ in result.set(body()) }
        return result.value!
    }
}

/// Opens once.
final class Gate: Sendable {
    private let condition = NSCondition()
    private let isOpen = Box(false)

    func open() {
        condition.withLock {
            isOpen.set(true)
            condition.broadcast()
        }
    }

    func wait() {
        condition.withLock {
            while !isOpen.value { condition.wait() }
        }
    }
}

/// A meeting of a fixed number of threads.
final class Rendezvous: Sendable {
    private let condition = NSCondition()
    private let missing: Box<Int>

    init(_ count: Int) {
        missing = Box(count)
    }

    func arriveAndWait() {
        condition.withLock {
            if missing.update({
                $0 -= 1; return $0
            }) == 0 {
                condition.broadcast()
            }
            while missing.value > 0 { condition.wait() }
        }
    }

    /// For those who are expected but must not wait.
    func arrive() {
        condition.withLock {
            if missing.update({
                $0 -= 1; return $0
            }) == 0 {
                condition.broadcast()
            }
        }
    }
}

/// Where a fixed number of threads start together, for races: they spin until all are here, so they start within less than
/// a microsecond.
final class StartLine: Sendable {
    private let missing: Box<Int>

    init(_ count: Int) {
        missing = Box(count)
    }

    func wait() {
        missing.update { $0 -= 1 }
        while missing.value > 0 { sched_yield() }
    }
}

/// A value behind a lock.
final class Box<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: Value

    init(_ value: Value) {
        stored = value
    }

    var value: Value { lock.withLock { stored } }

    func set(_ value: Value) {
        lock.withLock { stored = value }
    }

    @discardableResult
    func update<Result>(_ body: (inout Value) -> Result) -> Result {
        lock.withLock { body(&stored) }
    }
}

extension Box<Int> {
    @discardableResult
    func increment() -> Int {
        update {
            $0 += 1
            return $0
        }
    }
}

extension Box where Value: RangeReplaceableCollection {
    func append(_ element: Value.Element) {
        update { $0.append(element) }
    }
}
