import Testing

@testable import Resolver

/// Creation tasks that fail, and waiters that are cancelled: they stop waiting at once, and the creation continues without them.
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

    /// - Parameter cancelled: the cancelled callers. The first one has started the creation task.
    @Test(arguments: [[0], [2], [0, 1, 2, 3]])
    func `cancelled callers stop waiting at once, and all others get the instance`(_ cancelled: [Int]) async {
        await #expect(processExitsWith: .success) { [cancelled] in
            try await CreationSubject.each { subject, row in
                subject.registerSlow()
                var tasks = try await subject.start(callers: 4)
                for task in cancelled.reversed().map({ tasks.remove(at: $0) }) {
                    task.cancel()
                    await expect(task.result.error is CancellationError, "\(row)")
                }
                expect(subject.alive.value, is: 0, "\(row)")
                tasks.append(subject.callers.call { try await subject.resolve() })
                await subject.callers.untilAllWait()
                subject.mayFinish.open()
                let first = try await tasks[0].value
                for task in tasks { try await expect(task.value === first, "\(row)") }
                try await expect(subject.resolve() === first, "\(row)")
                expect(subject.made.value, is: 1, "\(row)")
            }
        }
    }

    @Test(arguments: [false, true])
    func `a task that is cancelled before its call neither starts nor awaits a creation`(_ isRunning: Bool) async {
        await #expect(processExitsWith: .success) { [isRunning] in
            try await CreationSubject.each { subject, row in
                subject.registerSlow()
                let tasks = isRunning ? try await subject.start(callers: 1) : []
                let cancelled = Task {
                    withUnsafeCurrentTask { $0?.cancel() }
                    _ = try await subject.resolve(Counted.self)
                }
                await expect(cancelled.result.error is CancellationError, "\(row)")
                expect(subject.made.value, is: tasks.count, "\(row)")
                subject.mayFinish.open()
                let kept = try await subject.resolve()
                for task in tasks { try await expect(task.value === kept, "\(row)") }
                expect(subject.made.value, is: 1, "\(row)")
            }
        }
    }

    @Test func `a creation task that is cancelled before its start runs cancelled`() async {
        let creation = CreationTask(), hasStarted = Gate(), hasRun = Gate(), wasCancelled = Box(false)
        creation.cancel()
        creation.start {
            await hasStarted.pass()
            wasCancelled.set(Task.isCancelled)
            hasRun.open()
        }
        hasStarted.open()
        await hasRun.pass()
        expect(wasCancelled.value)
    }

    @Test(arguments: [false, true])
    func `a synchronous factory that throws its task's cancellation is no failure`(_ isDependency: Bool) async {
        let resolver = Resolver()
        resolver.register { () throws in Leaf(after: try Task.checkCancellation()) }
        resolver.register { r in Holder(try r.tryResolve(Leaf.self)) }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            if isDependency { return try await resolver.resolveAsync(Holder<Leaf>.self).part }
            return try await resolver.resolveAsync(Leaf.self)
        }
        await expect(task.result.error is CancellationError)
        await expect(resolver.asyncFailure(Leaf.self), is: nil)
    }
}
