/// Calls `body`, which resolves, and sees to what it demands until it has an answer.
///
/// Stays on the caller's actor, without suspending, if there is nothing to see to.
nonisolated(nonsending) func seeingToDemands<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
    switch try ResolutionCycle.current.attempt(prepared: [], isFirst: true, body) {
    case .value(let value): return value
    case .demand(let demand, let aliases, let otherwise):
        return try await TaskFrame.inCycle { try await seeingToDemands(demand, aliases, otherwise, body) }
    }
}

nonisolated(nonsending) private func seeingToDemands<Value: Sendable>(
    _ demand: Attempt.Demand, _ aliases: [AnyResolverRegistration], _ otherwise: Result<Value, any Error>,
    _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
    var (demand, aliases, otherwise) = (demand, aliases, otherwise)
    var prepared: [Attempt.Prepared] = []
    var actors: [any Actor] = []
    while true {
        switch demand {
        case .actor(let actor):
            // No code is on two actors.
            if actors.contains(where: { $0 === actor }) { return try otherwise.get() }
            actors.append(actor)
        case .creation(let creation, in: let cell, of: let registration, let key):
            if case .made(let object) = try await cell.wait(for: creation) {
                prepared.append(Attempt.Prepared(stage: .kept(registration, key), result: .success(object)))
            }
        case .work(let work):
            if let new = try await work() { prepared.append(new) }
        }
        let attempt: @Sendable () throws -> ResolutionCycle.Answer<Value> = { [prepared, aliases] in
            try ResolutionCycle.current.attempt(prepared: prepared, through: aliases, body)
        }
        let answer = if let actor = actors.last { try await Isolation.run(on: actor, attempt) } else { try attempt() }
        switch answer {
        case .value(let value): return value
        case .demand(let next, let through, let result): (demand, aliases, otherwise) = (next, through, result)
        }
    }
}

extension AnyResolverRegistration {
    /// Runs `factory`, the asynchronous one of this registration, in the running task.
    nonisolated(nonsending) final func prepare<Service>(
        _ resolver: Resolver, _ args: Sent<Any?>, _ factory: AsyncFactory<Service>
    ) async throws -> Sent<Service>? {
        try await TaskFrame.making(self, hasArguments: args.value != nil) {
            do {
                return try await factory(resolver, args)
            } catch let error as CancellationError where Task.isCancelled {
                // Nothing is wrong with the factory.
                throw error
            } catch {
                throw ResolutionCycle.current.failure(of: self, error)
            }
        }
    }
}
