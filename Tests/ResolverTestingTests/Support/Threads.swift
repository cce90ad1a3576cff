import Foundation

enum Threads {
    /// What `body` returns on a thread of its own. The task that waits for it is suspended, and blocks no thread.
    static func result<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: body()) }
        }
    }

    /// Runs `body` on `count` threads at the same time, and returns when all have ended.
    static func run(_ count: Int, _ body: @escaping @Sendable (_ index: Int) -> Void) async {
        await withTaskGroup { group in
            for index in 0..<count { group.addTask { await result { body(index) } } }
        }
    }
}

/// A meeting of a fixed number of threads, that can take place again and again.
final class Rendezvous: @unchecked Sendable {
    private let condition = NSCondition()
    private let count: Int
    private var missing: Int
    private var meeting = 0

    init(_ count: Int) {
        self.count = count
        missing = count
    }

    func arriveAndWait() {
        condition.withLock {
            missing -= 1
            if missing == 0 {
                missing = count
                meeting += 1
                return condition.broadcast()
            }
            let mine = meeting
            while meeting == mine { condition.wait() }
        }
    }
}
