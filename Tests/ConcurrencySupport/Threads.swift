/// Real threads: code that blocks must not run on the threads of the cooperative pool, which are few.
package enum Threads {
    /// Runs `body` on `count` threads that start together, and returns when all have ended.
    package static func run(_ count: Int, stackSize: Int? = nil, _ body: @escaping @Sendable (_ index: Int) -> Void) {
        let start = Rendezvous(count)
        let threads = (0..<count).map { index in
            RunningThread(stackSize: stackSize) {
                start.arriveAndWait()
                body(index)
            }
        }
        for thread in threads { thread.join() }
    }

    /// Runs each body on a thread of its own, and returns when all have ended.
    package static func run(_ bodies: (@Sendable () -> Void)...) {
        let bodies = bodies
        run(bodies.count) { bodies[$0]() }
    }

    /// Runs two bodies, each on a thread of its own, and returns when both have ended.
    package static func run(_ body: @escaping @Sendable () -> Void, beside other: @escaping @Sendable () -> Void) {
        run(body, other)
    }

    /// Runs `body` on one thread, and `other` again and again on others until `body` has ended.
    package static func run(
        others: Int = 1, _ body: @escaping @Sendable () -> Void, repeating other: @escaping @Sendable () -> Void
    ) {
        let isOver = Box(false)
        run(1 + others) { index in
            if index > 0 {
                while !isOver.value { other() }
            } else {
                body()
                isOver.set(true)
            }
        }
    }

    /// Runs `body` on one thread, with a stack of this many bytes or of the usual size, and blocks until it has ended.
    ///
    /// One thread at a time uses what `body` uses, as this one waits.
    package static func withStack<Result>(of bytes: Int?, _ body: () -> Result) -> Result {
        withoutActuallyEscaping(body) { body in
            nonisolated(unsafe) let body = body
            nonisolated(unsafe) var result: Result?
            RunningThread(stackSize: bytes) { result = body() }.join()
            return result!
        }
    }

    /// Returns or throws what `body` does on a thread of its own. The task is suspended meanwhile.
    package static func result<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value { try await outcomes([body])[0].get() }

    /// Returns what each body returns or throws on a thread of its own, in the order of the bodies. The threads start together,
    /// and the task is suspended until all have ended.
    package static func outcomes<Value: Sendable, Failure: Error>(
        stackSize: Int? = nil, _ bodies: [@Sendable () throws(Failure) -> Value]
    ) async -> [Result<Value, Failure>] {
        let outcomes = Box<[Int: Result<Value, Failure>]>([:])
        let start = Rendezvous(bodies.count), haveEnded = Rendezvous(bodies.count)
        let threads = bodies.enumerated().map { index, body in
            RunningThread(stackSize: stackSize) {
                start.arriveAndWait()
                let outcome = Result(catching: body)
                outcomes.update { $0[index] = outcome }
                haveEnded.arrive()
            }
        }
        await haveEnded.gate.pass()
        // They have nothing left to do: what they hold is gone when this returns.
        for thread in threads { thread.join() }
        return bodies.indices.compactMap { outcomes.value[$0] }
    }

    /// Returns what each body returns on a thread of its own, or throws what the first of them throws.
    package static func results<Value: Sendable, Failure: Error>(
        _ bodies: (@Sendable () throws(Failure) -> Value)...
    ) async throws(Failure) -> [Value] {
        try await outcomes(bodies).map { outcome throws(Failure) in try outcome.get() }
    }

    /// Returns what a body returns on each of some threads, which it is told the number of. Throws what the first throws.
    @discardableResult package static func results<Value: Sendable, Failure: Error>(
        _ count: Int, _ body: @escaping @Sendable (_ index: Int) throws(Failure) -> Value
    ) async throws(Failure) -> [Value] {
        let bodies = (0..<count).map { index in { @Sendable () throws(Failure) -> Value in try body(index) } }
        return try await outcomes(bodies).map { outcome throws(Failure) in try outcome.get() }
    }

    /// Returns or throws what `body` does on another thread, and blocks this one meanwhile.
    package static func wait<Value: Sendable>(for body: @escaping @Sendable () throws -> Value) throws -> Value {
        try withStack(of: nil) { Result { try body() } }.get()
    }
}
