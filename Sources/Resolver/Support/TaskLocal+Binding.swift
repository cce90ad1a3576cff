extension TaskLocal {
    /// Binds the value while `body` runs on the caller's actor.
    ///
    /// `body` returns nothing, because a generic result would be specialized for each type.
    nonisolated(nonsending) func binding(_ value: Value, _ body: nonisolated(nonsending) () async -> Void) async {
        await binding(value, on: #isolation, body)
    }

    /// Binds the value on `actor`.
    ///
    /// The closure passed to `withValue` stays on an actor only if it uses the actor parameter. A closure in the function above would
    /// leave the caller's actor when it is suspended.
    private func binding(
        _ value: Value, on actor: isolated (any Actor)?, _ body: nonisolated(nonsending) () async -> Void
    ) async {
        await withValue(value) {
            _ = actor
            await body()
        }
    }
}
