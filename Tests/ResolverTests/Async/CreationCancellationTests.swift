import Testing

@testable import Resolver

/// A cancelled caller stops waiting at once, and the creation continues without it.
@Suite struct CreationCancellationTests {
    /// Expects that a cancelled task ends before the creation task does.
    private static func cancel(_ task: Task<Counted, any Error>, _ row: CreationRow) async {
        task.cancel()
        #expect(await task.result.error is CancellationError, "\(row)")
    }

    /// - Parameter index: the cancelled caller. The first one has started the creation task.
    @Test(arguments: [0, 2])
    func `a cancelled caller stops waiting at once and the other callers get the instance`(_ index: Int) async {
        await #expect(processExitsWith: .success) { [index] in
            try await CreationSubject.each { subject, row in
                subject.registerSlow()
                var tasks = try await subject.start(callers: 4)
                await CreationCancellationTests.cancel(tasks.remove(at: index), row)
                #expect(subject.alive.value == 0, "\(row)")
                subject.mayFinish.open()
                let first = try await tasks[0].value
                for task in tasks { #expect(try await task.value === first, "\(row)") }
                #expect(try await subject.resolve() === first, "\(row)")
                #expect(subject.made.value == 1, "\(row)")
            }
        }
    }

    @Test func `a creation continues and its instance is cached after all callers are cancelled`() async {
        await #expect(processExitsWith: .success) {
            try await CreationSubject.each { subject, row in
                let held = Box<Counted?>(nil), isCancelled = Box<Bool?>(nil)
                subject.register {
                    [alive = subject.alive, hasStarted = subject.hasStarted, mayFinish = subject.mayFinish]
                    _ -> Counted in
                    hasStarted.open()
                    try await mayFinish.passUnlessCancelled()
                    isCancelled.set(Task.isCancelled)
                    let counted = Counted(alive)
                    held.set(counted)
                    return counted
                }
                for task in try await subject.start(callers: 4) { await CreationCancellationTests.cancel(task, row) }
                subject.mayFinish.open()
                for _ in 0..<2 { #expect(try await subject.resolve() === held.value, "\(row)") }
                #expect(subject.made.value == 1, "\(row)")
                #expect(isCancelled.value == false, "\(row)")
            }
        }
    }

    @Test(arguments: [false, true])
    func `a task that is cancelled before its call neither starts nor awaits a creation`(_ isRunning: Bool) async {
        await #expect(processExitsWith: .success) { [isRunning] in
            try await CreationSubject.each { subject, row in
                subject.registerSlow()
                let tasks = isRunning ? try await subject.start(callers: 1) : []
                #expect(await subject.callWhenCancelled().result.error is CancellationError, "\(row)")
                #expect(subject.made.value == tasks.count, "\(row)")
                subject.mayFinish.open()
                let kept = try await subject.resolve()
                for task in tasks { #expect(try await task.value === kept, "\(row)") }
                #expect(subject.made.value == 1, "\(row)")
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
        #expect(wasCancelled.value)
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
        #expect(await task.result.error is CancellationError)
        #expect(await resolver.asyncFailure(Leaf.self) == nil)
    }
}
