/// Suspends the task once, or several times, and then returns `value`.
nonisolated(nonsending) func yielding<Value>(
    _ value: @autoclosure () throws -> Value, times: Int = 1
) async rethrows -> Value {
    for _ in 0..<times { await Task.yield() }
    return try value()
}

/// Gives tasks time to release what the number counts: a creation task that has woken its callers may still hold what it has made.
func settle(_ count: Box<Int>) async { for _ in 0..<100_000 where count.value > 0 { await Task.yield() } }
