/// Suspends the task once, and then returns `value`.
nonisolated(nonsending) func yielding<Value>(_ value: @autoclosure () throws -> Value) async rethrows -> Value {
    await Task.yield()
    return try value()
}
