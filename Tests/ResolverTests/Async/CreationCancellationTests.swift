import Testing

@testable import Resolver

/// A cancelled caller stops waiting at once, and the creation continues without it.
@Suite struct CreationCancellationTests {
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
