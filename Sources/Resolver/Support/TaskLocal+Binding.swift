extension TaskLocal {
    /// `withValue` for a body that says what it throws.
    func binding<Result, Failure: Error>(
        _ value: Value, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withValue(value) { Swift.Result(catching: body) }.get()
    }

    /// Binds the value while asynchronous code runs, which stays on the caller's actor.
    nonisolated(nonsending) func binding<Result, Failure: Error>(
        _ value: Value, _ body: nonisolated(nonsending) () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await binding(value, on: #isolation, body)
    }

    /// The closure that is handed to `withValue` stays on an actor only if it uses the parameter that stands for it; one in
    /// the function above would leave the caller's actor when it is suspended.
    private func binding<Result, Failure: Error>(
        _ value: Value, on actor: isolated (any Actor)?,
        _ body: nonisolated(nonsending) () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let result: Swift.Result<Result, Failure> = await withValue(value) {
            _ = actor
            do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
        }
        return try result.get()
    }
}
