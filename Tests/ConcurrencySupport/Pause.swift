/// A place where a factory stops until the test lets it continue.
package final class Pause: Sendable {
    /// Opens when the factory has come here.
    package let hasBegun = Gate()
    /// Lets the factory continue.
    package let mayEnd = Gate()

    package init() {}

    /// Runs `body` while the factory is stopped, and lets it continue.
    nonisolated(nonsending) package func during(_ body: () throws -> Void) async rethrows {
        await hasBegun.pass()
        try body()
        mayEnd.open()
    }

    /// Blocks the thread until the factory may continue.
    @available(*, noasync, message: "A task is suspended: await suspending(value).")
    package func block() {
        hasBegun.open()
        mayEnd.wait()
    }

    /// Blocks the thread until the factory may continue, and then returns `value`.
    @available(*, noasync, message: "A task is suspended: await suspending(value).")
    package func blocking<Value>(_ value: @autoclosure () throws -> Value) rethrows -> Value {
        block()
        return try value()
    }

    /// Suspends the task until the factory may continue, and then returns `value`.
    nonisolated(nonsending) package func suspending<Value>(
        _ value: @autoclosure () async throws -> Value
    ) async rethrows -> Value {
        hasBegun.open()
        await mayEnd.pass()
        return try await value()
    }
}
