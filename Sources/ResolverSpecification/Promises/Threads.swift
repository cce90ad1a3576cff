import Foundation

/// Threads for blocking code, which must not run in a task.
enum Threads {
    /// Runs each body on its own thread, all at once, and returns when all have ended.
    ///
    /// - Returns: the results or errors of the bodies, in order.
    static func outcomes<Value: Sendable>(
        stackSize: Int? = nil, _ bodies: [@Sendable () throws -> Value]
    ) async -> [Result<Value, any Error>] {
        let outcomes = Locked<[Int: Result<Value, any Error>]>([:])
        let start = Rendezvous(bodies.count)
        return await withCheckedContinuation { continuation in
            for (index, body) in bodies.enumerated() {
                let thread = Thread {
                    start.meet()
                    let outcome = Result { try body() }
                    let all = outcomes.update { outcomes in
                        outcomes[index] = outcome
                        return outcomes
                    }
                    if all.count == bodies.count {
                        continuation.resume(returning: bodies.indices.compactMap { all[$0] })
                    }
                }
                if let stackSize { thread.stackSize = stackSize }
                thread.start()
            }
        }
    }

    /// Runs each body on its own thread, all at once.
    static func run<Value: Sendable>(_ bodies: (@Sendable () throws -> Value)...) async throws -> [Value] {
        try await outcomes(bodies).map { try $0.get() }
    }

    /// Runs `body` on several threads at once, each with its number.
    static func run<Value: Sendable>(
        _ count: Int, _ body: @escaping @Sendable (Int) throws -> Value
    ) async throws -> [Value] {
        try await outcomes((0..<count).map { index in { try body(index) } }).map { try $0.get() }
    }

    /// Runs `body` on another thread, and blocks this one until it ends.
    static func wait<Value: Sendable>(for body: @escaping @Sendable () throws -> Value) throws -> Value {
        let outcome = Locked<Result<Value, any Error>?>(nil)
        let hasEnded = Gate()
        Thread.detachNewThread {
            outcome.value = Result { try body() }
            hasEnded.open()
        }
        hasEnded.wait()
        guard let outcome = outcome.value else { preconditionFailure("the thread has left nothing") }
        return try outcome.get()
    }
}

/// A gate that opens once.
final class Gate: @unchecked Sendable {
    private let condition = NSCondition()
    // The condition guards both.
    private var isOpen = false
    private var suspended: [CheckedContinuation<Void, Never>] = []

    func open() {
        let resumed = condition.withLock { () -> [CheckedContinuation<Void, Never>] in
            isOpen = true
            condition.broadcast()
            defer { suspended = [] }
            return suspended
        }
        for continuation in resumed { continuation.resume() }
    }

    /// Blocks the thread until the gate is open.
    func wait() {
        condition.withLock {
            while !isOpen { condition.wait() }
        }
    }

    /// Suspends the task until the gate is open.
    func pass() async {
        await withCheckedContinuation { continuation in
            let mustWait = condition.withLock { () -> Bool in
                if !isOpen { suspended.append(continuation) }
                return !isOpen
            }
            if !mustWait { continuation.resume() }
        }
    }
}

/// A barrier for a fixed number of threads or tasks: all wait until the last one arrives.
final class Rendezvous: Sendable {
    private let missing: Locked<Int>
    /// Opens when all have arrived.
    let gate = Gate()

    init(_ count: Int) {
        missing = Locked(count)
    }

    /// Arrives without waiting.
    func arrive() {
        let isLast = missing.update { missing in
            missing -= 1
            return missing == 0
        }
        if isLast { gate.open() }
    }

    /// Arrives, and blocks the thread until all have arrived.
    func meet() {
        arrive()
        gate.wait()
    }

    /// Arrives, and suspends the task until all have arrived.
    func join() async {
        arrive()
        await gate.pass()
    }
}
