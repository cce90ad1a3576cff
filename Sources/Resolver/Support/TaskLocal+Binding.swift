extension TaskLocal {
    /// Binds the value while asynchronous code runs, which stays on the caller's actor. (Without a result: one of a type that is not
    /// known here would have to be specialized for each.)
    nonisolated(nonsending) func binding(_ value: Value, _ body: nonisolated(nonsending) () async -> Void) async {
        await binding(value, on: #isolation, body)
    }

    /// The closure that is handed to `withValue` stays on an actor only if it uses the parameter that stands for it; one in
    /// the function above would leave the caller's actor when it is suspended.
    private func binding(
        _ value: Value, on actor: isolated (any Actor)?, _ body: nonisolated(nonsending) () async -> Void
    ) async {
        await withValue(value) {
            _ = actor
            await body()
        }
    }
}
