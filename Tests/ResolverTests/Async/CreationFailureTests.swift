import Resolver
import Testing

/// Creation tasks without an instance: the results of the waiters and of the next call.
@Suite struct CreationFailureTests {
    /// A factory's own cancellation error is a failure too: its waiters are not cancelled.
    @Test(arguments: [false, true])
    func `an error of a factory reaches all waiters and the next call tries again`(_ isCancellation: Bool) async {
        await #expect(processExitsWith: .success) { [isCancellation] in
            try await CreationSubject.each { subject, row in
                subject.registerCounted { [mayFinish = subject.mayFinish] run in
                    try await mayFinish.passUnlessCancelled()
                    if run == 1 { throw isCancellation ? CancellationError() as any Error : Failure(number: 7) }
                }
                let errors = await subject.outcomes(of: 8) { try await subject.resolve() }.map(\.resolutionError)
                #expect(errors.map(\.?.code) == Array(repeating: .factoryFailed, count: 8), "\(row)")
                for error in errors.map({ $0?.underlying }) {
                    #expect(isCancellation ? error is CancellationError : error as? Failure == Failure(number: 7))
                }
                #expect(subject.made.value == 1, "\(row)")
                let next = try await subject.resolve()
                #expect(try await subject.resolve() === next)
                #expect(subject.made.value == 2, "\(row)")
            }
        }
    }

    @Test func `a nil of a factory reaches all waiters and the next call tries again`() async {
        await #expect(processExitsWith: .success) {
            try await CreationSubject.each { subject, row in
                subject.register { [alive = subject.alive, mayFinish = subject.mayFinish] run -> Counted? in
                    try await mayFinish.passUnlessCancelled()
                    return run == 1 ? nil : Counted(alive)
                }
                let optional = subject.callers.call(times: 4) { try await subject.optional() }
                let codes = await subject.outcomes(of: 4) { try await subject.resolve() }.map(\.resolutionError?.code)
                #expect(codes == Array(repeating: .factoryReturnedNil, count: 4), "\(row)")
                for task in optional { #expect(try await task.value == nil) }
                #expect(subject.made.value == 1, "\(row)")
                let next = try await subject.resolve()
                #expect(try await subject.optional() === next)
                #expect(subject.made.value == 2, "\(row)")
            }
        }
    }

    /// Two waiters are creating other services, and one waiter is creating none.
    @Test func `the path of a failure begins with the service that each waiter was creating`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let resolver = Resolver(), callers = Callers(), mayFinish = Gate()
            resolver.register { () async throws -> Leaf in
                try await mayFinish.passUnlessCancelled()
                throw Failure()
            }.scope(.container)
            for (name, scope) in [("unique", ResolverScope.unique), ("kept", .container)] {
                resolver.register(name: .init(name)) { r -> OtherLeaf in
                    _ = try await r.resolveAsync(Leaf.self)
                    return OtherLeaf()
                }.scope(scope)
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
                #expect(error?.path.map(\.description) == path)
                #expect(error?.underlying as? Failure == Failure())
            }
        }
    }
}
