/// Reports when a call waits: an actor runs other code only while its current job is suspended.
actor SuspensionProbe {
    /// Runs `call`, and calls `signal` as soon as `call` is suspended or finished.
    func make<Result: Sendable>(
        _ call: nonisolated(nonsending) @Sendable () async throws -> Result,
        onceItWaits signal: @escaping @Sendable () -> Void
    ) async rethrows -> Result {
        Task { self.send(signal) }
        return try await call()
    }

    private func send(_ signal: @Sendable () -> Void) {
        signal()
    }
}
