/// Calls `body`, which resolves, and does the pending work of each pass until one has an answer.
///
/// Stays on the caller's actor, without suspending, if there is no pending work.
///
/// - Parameter results: the results that the call has awaited before.
nonisolated(nonsending) func awaitingPendingWork(
    after results: [AsyncPass.AwaitedResult] = [], _ body: @escaping @Sendable () throws -> AnyObject?
) async throws -> AnyObject? {
    switch try ResolutionCycle.current.pass(results: results, isFirst: results.isEmpty, body) {
    case .value(let packed): return packed.value
    case .pendingWork(let pendingWork, let aliases, let fallback):
        return try await TaskFrame.inCycle {
            try await awaitingPendingWork(pendingWork, after: results, aliases, fallback, body)
        }.value
    }
}

nonisolated(nonsending) private func awaitingPendingWork(
    _ pendingWork: AsyncPass.PendingWork, after results: [AsyncPass.AwaitedResult],
    _ aliases: [AnyResolverRegistration],
    _ fallback: Result<PackedService, any Error>, _ body: @escaping @Sendable () throws -> AnyObject?
) async throws -> PackedService {
    var (pendingWork, results, aliases, fallback) = (pendingWork, results, aliases, fallback)
    var actors: [any Actor] = []
    while true {
        switch pendingWork {
        case .actor(let actor):
            // No code runs on two actors at once.
            if actors.contains(where: { $0 === actor }) { return try fallback.get() }
            actors.append(actor)
        case .creation(let creation, in: let cell, of: let registration, let key):
            if case .made(let object) = try await cell.wait(for: creation) {
                results.append(
                    AsyncPass.AwaitedResult(
                        registration: registration, isKept: true, key: key, result: .success(object)))
            }
        case .work(let work):
            if let new = try await work() { results.append(new) }
        }
        let pass: @Sendable () throws -> ResolutionCycle.Answer = { [results, aliases] in
            try ResolutionCycle.current.pass(results: results, through: aliases, body)
        }
        let answer = if let actor = actors.last { try await Isolation.run(on: actor, pass) } else { try pass() }
        switch answer {
        case .value(let value): return value
        case .pendingWork(let next, let through, let result): (pendingWork, aliases, fallback) = (next, through, result)
        }
    }
}

extension AnyResolverRegistration {
    /// Runs the asynchronous factory of this registration in the current task.
    ///
    /// - Returns: the result, which may be an error: a wrapper around the factory may then return another service.
    nonisolated(nonsending) final func make(
        _ factory: AsyncFactory, _ resolver: Resolver, _ args: UncheckedSendable<Any?>
    ) async throws -> AsyncPass.AwaitedResult {
        do {
            let made = try await TaskFrame.making(self, hasArguments: args.value != nil) {
                do {
                    return try await factory(resolver, args)
                } catch let error as CancellationError where Task.isCancelled {
                    // Nothing is wrong with the factory.
                    throw error
                } catch {
                    throw ResolutionCycle.current.failure(of: self, error)
                }
            }
            return AsyncPass.AwaitedResult(registration: self, result: .success(made.value))
        } catch let error as ResolutionError {
            return AsyncPass.AwaitedResult(registration: self, result: .failure(error))
        }
    }
}
