/// Tells when a call waits: an actor does something else only when what runs on it is suspended.
actor Desk {
    /// Makes `call`, and calls `signal` as soon as it is suspended, or over.
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
