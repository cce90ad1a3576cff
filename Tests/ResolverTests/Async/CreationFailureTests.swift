import Resolver
import Testing

/// Creation tasks without an instance: the results of the waiters and of the next call.
@Suite struct CreationFailureTests {
    /// A factory's own cancellation error is a failure too: its waiters are not cancelled.
    @Test(arguments: [false, true])
    func `an error of a factory reaches all waiters and the next call tries again`(_ isCancellation: Bool) async {
        await #expect(processExitsWith: .success) { [isCancellation] in
            Child.mustEnd()
            for row in CreationRow.allCases {
                let subject = CreationSubject(row)
                subject.registerCounted { [mayFinish = subject.mayFinish] run in
                    try await mayFinish.passUnlessCancelled()
                    if run == 1 { throw isCancellation ? CancellationError() as any Error : Failure(number: 7) }
                }
                let outcomes = await subject.outcomes(of: 8) { try await subject.resolve() }
                #expect(outcomes.map(\.resolutionError?.code) == Array(repeating: .factoryFailed, count: 8), "\(row)")
                let underlying = outcomes.map { $0.resolutionError?.underlying }
                #expect(
                    underlying.allSatisfy {
                        isCancellation ? $0 is CancellationError : $0 as? Failure == Failure(number: 7)
                    }, "\(row)")
                #expect(subject.made.value == 1, "\(row)")
                let next = try await subject.resolve()
                #expect(try await subject.resolve() === next)
                #expect(subject.made.value == 2, "\(row)")
            }
        }
    }

    @Test func `a nil of a factory reaches all waiters and the next call tries again`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            for row in CreationRow.allCases {
                let subject = CreationSubject(row)
                subject.register { [alive = subject.alive, mayFinish = subject.mayFinish] run -> Counted? in
                    try await mayFinish.passUnlessCancelled()
                    return run == 1 ? nil : Counted(alive)
                }
                let optional = subject.callers.call(times: 4) { try await subject.optional() }
                let outcomes = await subject.outcomes(of: 4) { try await subject.resolve() }
                #expect(
                    outcomes.map(\.resolutionError?.code) == Array(repeating: .factoryReturnedNil, count: 4), "\(row)")
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
            resolver.register(name: "unique") { r -> OtherLeaf in
                _ = try await r.resolveAsync(Leaf.self)
                return OtherLeaf()
            }.scope(.unique)
            resolver.register(name: "kept") { r -> OtherLeaf in
                _ = try await r.resolveAsync(Leaf.self)
                return OtherLeaf()
            }.scope(.container)
            let direct = callers.call { await outcome { try await resolver.resolveAsync(Leaf.self) }.resolutionError }
            let others = ["unique", "kept"].map { name in
                callers.call {
                    await outcome { try await resolver.resolveAsync(OtherLeaf.self, name: .init(name)) }.resolutionError
                }
            }
            await callers.untilAllWait()
            mayFinish.open()
            let leaf = "ResolverTests.Leaf", other = "ResolverTests.OtherLeaf"
            var errors: [ResolutionError?] = []
            for task in [direct] + others { errors.append(try await task.value) }
            #expect(
                errors.map { $0?.path.map(\.description) } == [
                    [leaf], ["\(other):unique", leaf], ["\(other):kept", leaf],
                ])
            for error in errors { #expect(error?.underlying as? Failure == Failure()) }
        }
    }
}
