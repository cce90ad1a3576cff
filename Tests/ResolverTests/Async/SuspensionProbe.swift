/// Reports when a call waits: an actor runs other code only while its current job is suspended.
actor SuspensionProbe {
    /// Runs `call`, and opens the gate as soon as `call` is suspended or finished.
    static nonisolated(nonsending) func opening<Result: Sendable>(
        _ gate: Gate, _ call: nonisolated(nonsending) @Sendable () async throws -> Result
    ) async rethrows -> Result { try await SuspensionProbe().run(call, opening: gate) }

    private func run<Result: Sendable>(
        _ call: nonisolated(nonsending) @Sendable () async throws -> Result, opening gate: Gate
    ) async rethrows -> Result {
        Task { self.open(gate) }
        return try await call()
    }

    private func open(_ gate: Gate) { gate.open() }
}
