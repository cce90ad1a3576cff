/// Calls `body`, which resolves, and does the pending work of each pass until one has an answer.
///
/// Stays on the caller's actor, without suspending, if there is no pending work.
///
/// - Parameter results: the results that the call has awaited before.
nonisolated(nonsending) func awaitingPendingWork(
    after results: [AsyncPass.AwaitedResult] = [], _ body: @escaping @Sendable () throws -> AnyObject?
) async throws -> AnyObject? {
    switch try ResolutionCycle.current.pass(AsyncPass.Progress(results: results), body) {
    case .value(let packed): return packed.value
    case .pendingWork(let pendingWork, let progress):
        return try await TaskFrame.inCycle { try await awaitingPendingWork(pendingWork, progress, body) }.value
    }
}

nonisolated(nonsending) private func awaitingPendingWork(
    _ pendingWork: AsyncPass.PendingWork, _ progress: AsyncPass.Progress,
    _ body: @escaping @Sendable () throws -> AnyObject?
) async throws -> PackedService {
    var (pendingWork, progress) = (pendingWork, progress)
    while true {
        switch pendingWork {
        case .actor(let actor): progress.actors.append(actor)
        case .work(let work):
            let new = try await work()
            if let new { progress.results.append(new) }
            if new?.isError ?? true { progress.startCount += 1 }
        }
        let pass: @Sendable () throws -> ResolutionCycle.Answer = { [progress] in
            try ResolutionCycle.current.pass(progress, body)
        }
        // No code runs on two actors at once, so the last actor counts.
        let answer =
            if let actor = progress.actors.last { try await run(on: actor, pass) } else { try pass() }
        switch answer {
        case .value(let value): return value
        case .pendingWork(let next, let after): (pendingWork, progress) = (next, after)
        }
    }
}

private func run<Result: Sendable>(
    on actor: isolated any Actor, _ body: @Sendable () throws -> Result
) async rethrows -> Result {
    try body()
}

extension AnyResolverRegistration {
    /// Runs the asynchronous factory of this registration in the current task.
    ///
    /// - Parameter frame: the frame around it; nil begins a cycle.
    /// - Returns: the result, which may be an error: a wrapper around the factory may then return another service.
    nonisolated(nonsending) final func make(
        _ factory: AsyncFactory, _ resolver: Resolver, _ args: HeldArguments?,
        in frame: TaskFrame? = .current
    ) async throws -> AsyncPass.AwaitedResult {
        do {
            let made = try await TaskFrame.making(self, hasArguments: args != nil, in: frame) {
                do { return try await factory(resolver, args) } catch {
                    throw ResolutionCycle.current.failure(of: self, error)
                }
            }
            return AsyncPass.AwaitedResult(registration: self, result: .success(made.value))
        } catch let error as ResolutionError {
            return AsyncPass.AwaitedResult(registration: self, result: .failure(error))
        }
    }
}
