import Resolver

/// A running rehearsal: its results, and the caller that waits for its end.
final class RehearsalRun: Sendable {
    private struct End {
        var result: Result<WiringReport, any Error>?
        var waiting: CheckedContinuation<WiringReport, any Error>?
    }

    private let progress = Guarded(holding: RehearsalProgress())
    private let end = Guarded(holding: End())

    // MARK: Creating

    /// Creates each service, and those that are registered meanwhile.
    nonisolated(nonsending) func createAll(_ rehearsal: Rehearsal) async {
        progress.withLock { $0.rehearsal = rehearsal }
        let observation = Resolver.observe { [self] event in progress.withLock { $0.note(event) } }
        defer { observation.cancel() }
        var known: Set<UInt64> = [], kinds: Set<ScopeKind> = []
        // The limit ends a rehearsal in which factories register new services each time.
        for _ in 0..<10 {
            let services = rehearsal.resolver.registrations.filter { known.insert($0.number).inserted }
            if services.isEmpty { break }
            progress.withLock { $0.add(services) }
            let ordered = Wiring(services).inOrderOfCreation()
            kinds.formUnion(services.compactMap { if case .context(let kind) = $0.lifetime { kind } else { nil } })
            await Self.inScopes(kinds.sorted { $0.rank > $1.rank }[...]) {
                for service in ordered where !Task.isCancelled { await create(service, rehearsal) }
                // Services that needed an asynchronous service try again, as long as that helps. `Wiring` reports all of them.
                var count = Int.max
                while true {
                    let others = progress.withLock { $0.services.filter($0.requiresAsync) }
                    if others.count == count || others.isEmpty { break }
                    count = others.count
                    for service in others where !Task.isCancelled { await create(service, rehearsal) }
                }
            }
        }
    }

    /// Runs `body` in an open scope of each kind, the longest-lived outermost.
    private nonisolated(nonsending) static func inScopes(
        _ kinds: ArraySlice<ScopeKind>, _ body: nonisolated(nonsending) () async -> Void
    ) async {
        guard let kind = kinds.first else { return await body() }
        await Resolver.withScope(kind, id: "rehearsal") { await inScopes(kinds.dropFirst(), body) }
    }

    private nonisolated(nonsending) func create(_ service: RegisteredService, _ rehearsal: Rehearsal) async {
        progress.withLock { $0.begin(service) }
        let outcome: RehearsalProgress.Outcome
        do {
            // An alias gets the arguments of the service that it stands for, and begins on its actor, to which a conformance may belong.
            let (arguments, actor) = progress.withLock { progress in
                let row = progress.aliases(from: service)
                return (row.lazy.compactMap(progress.arguments).first, row.last?.actors.last)
            }
            outcome = .created(try await Self.create(service, arguments, by: rehearsal.resolver, on: actor))
        } catch {
            outcome = .failed(error)
        }
        progress.withLock { $0.end(service, outcome) }
    }

    private static func create(
        _ service: RegisteredService, _ arguments: (any Sendable)?, by resolver: Resolver,
        on actor: isolated (any Actor)?
    ) async throws -> CreatedService {
        try await resolver.create(service, args: arguments)
    }

    /// Notes an error that has no caller to throw to.
    func note(_ error: ResolutionError) {
        if error.code == .releaseFailed { return progress.withLock { $0.releaseErrors.append(error) } }
        progress.withLock { $0.fatalError = error }
        Resolver.printError("\(report())\n\nThe rehearsal ends here, because a factory made a call that traps:\n")
    }

    // MARK: The end

    func report() -> WiringReport { progress.withLock { $0 }.report() }

    func result() async throws -> WiringReport {
        try await withCheckedThrowingContinuation { continuation in
            let result = end.withLock { end in
                if end.result == nil { end.waiting = continuation }
                return end.result
            }
            if let result { continuation.resume(with: result) }
        }
    }

    /// Ends the rehearsal. Only the first end counts.
    func end(_ result: Result<WiringReport, any Error>) {
        let waiting = end.withLock { end -> CheckedContinuation<WiringReport, any Error>? in
            if end.result != nil { return nil }
            end.result = result
            return end.waiting
        }
        waiting?.resume(with: result)
    }

    /// Ends the rehearsal because its time is over.
    func endInTime() {
        let report = progress.withLock { progress in
            progress.isOutOfTime = true
            return progress
        }.report()
        end(.success(report))
    }
}
