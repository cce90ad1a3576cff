import Resolver
import Testing

/// Creation tasks without an instance: the results of the waiters and of the next call.
@Suite struct CreationFailureTests {
    /// A factory's own cancellation error is a failure too: its waiters are not cancelled.
    private enum Ending: String, CaseIterable, Codable { case error, cancellation, nothing }

    @Test(arguments: Ending.allCases)
    private func `a failure of a factory reaches all waiters and the next call tries again`(_ ending: Ending) async {
        await #expect(processExitsWith: .success) { [ending] in
            try await CreationSubject.each { subject, row in
                subject.register { [alive = subject.alive, mayFinish = subject.mayFinish] run -> Counted? in
                    try await mayFinish.passUnlessCancelled()
                    guard run == 1 else { return Counted(alive) }
                    switch ending {
                    case .error: throw Failure(number: 7)
                    case .cancellation: throw CancellationError()
                    case .nothing: return nil
                    }
                }
                let optional = subject.callers.call(times: 4) { try await subject.optional() }
                let errors = await subject.outcomes(of: 8) { try await subject.resolve() }.map(\.resolutionError)
                let code = ending == .nothing ? ResolutionError.Code.factoryReturnedNil : .factoryFailed
                expect(errors.map(\.?.code), is: Array(repeating: code, count: 8), "\(row)")
                for error in errors.map({ $0?.underlying }) {
                    expect(error as? Failure == Failure(number: 7), is: ending == .error)
                    expect(error is CancellationError, is: ending == .cancellation)
                }
                for task in optional {
                    let outcome = await task.result
                    expect(outcome.resolutionError?.code, is: ending == .nothing ? nil : .factoryFailed, "\(row)")
                    expect((try? outcome.get()) == nil, "\(row)")
                    if ending == .nothing { expect(outcome.error == nil, "\(row)") }
                }
                expect(subject.made.value, is: 1, "\(row)")
                let next = try await subject.resolve()
                try await expect(subject.optional() === next)
                expect(subject.made.value, is: 2, "\(row)")
            }
        }
    }

    /// Two waiters are creating other services, and one waiter is creating none.
    @Test func `the path of a failure begins with the service that each waiter was creating`() async {
        await #expect(processExitsWith: .success) {
            let resolver = Resolver(), callers = Callers(), mayFinish = Gate()
            resolver.register { () async throws -> Leaf in
                try await mayFinish.passUnlessCancelled()
                throw Failure()
            }.scope(.container)
            for (name, scope) in [("unique", ResolverScope.unique), ("kept", .container)] {
                resolver.register(name: .init(name)) { r in OtherLeaf(after: try await r.resolveAsync(Leaf.self)) }
                    .scope(scope)
            }
            let direct = callers.call { await resolver.asyncFailure(Leaf.self) }
            let others = ["unique", "kept"].map { name in
                callers.call { await resolver.asyncFailure(OtherLeaf.self, name: .init(name)) }
            }
            await callers.untilAllWait()
            mayFinish.open()
            let leaf = "ResolverTests.Leaf", other = "ResolverTests.OtherLeaf"
            for (task, path) in zip([direct] + others, [[leaf], ["\(other):unique", leaf], ["\(other):kept", leaf]]) {
                let error = try await task.value
                expect(error?.path.map(\.description), is: path)
                expect(error?.underlying as? Failure, is: Failure())
            }
        }
    }
}
