import Resolver
import Testing

/// A cancelled caller stops waiting at once, and the creation continues without it.
@Suite struct CreationCancellationTests {
    /// Requires that a cancelled task ends before the creation task does.
    private static func requireLeaving(_ task: Task<Counted, any Error>, _ row: CreationRow) async {
        task.cancel()
        let error = await task.result.error
        Child.require(error is CancellationError, "\(row): leaves: \(String(describing: error))")
    }

    /// - Parameter index: the cancelled caller. The first one has started the creation task.
    @Test(arguments: [0, 2])
    func `a cancelled caller stops waiting at once and the other callers get the instance`(_ index: Int) async {
        await #expect(processExitsWith: .success) { [index] in
            Child.mustEnd()
            for row in CreationRow.allCases {
                let subject = CreationSubject(row)
                subject.registerSlow()
                var tasks = try await subject.takeOff(callers: 4)
                await CreationCancellationTests.requireLeaving(tasks.remove(at: index), row)
                Child.require(subject.alive.value == 0, "\(row): the factory still waits")
                subject.mayFinish.open()
                let first = try await tasks[0].value
                for task in tasks {
                    let got = try await task.value
                    Child.require(got === first, "\(row): the same instance")
                }
                let kept = try await subject.resolve()
                Child.require(kept === first, "\(row): it is kept")
                Child.require(subject.made.value == 1, "\(row): one run of \(subject.made.value)")
            }
        }
    }

    @Test func `a creation continues and its instance is cached after all callers are cancelled`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            for row in CreationRow.allCases {
                let subject = CreationSubject(row)
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
                for task in try await subject.takeOff(callers: 4) {
                    await CreationCancellationTests.requireLeaving(task, row)
                }
                subject.mayFinish.open()
                let next = try await subject.resolve()
                Child.require(next === held.value, "\(row): what the creation made")
                let again = try await subject.resolve()
                Child.require(again === next, "\(row): it is kept")
                Child.require(subject.made.value == 1, "\(row): one run of \(subject.made.value)")
                Child.require(isCancelled.value == false, "\(row): the creation is not cancelled")
            }
        }
    }

    @Test func `a task that is cancelled before its call starts no creation task`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            for row in CreationRow.allCases {
                let subject = CreationSubject(row)
                subject.registerCounted()
                let outcome = await Task {
                    withUnsafeCurrentTask { $0?.cancel() }
                    return try await subject.resolve()
                }.result
                #expect(outcome.error is CancellationError, "\(row)")
                #expect(subject.made.value == 0, "\(row)")
                _ = try await subject.resolve()
                #expect(subject.made.value == 1, "\(row)")
            }
        }
    }

    @Test func `a task that is cancelled before its call does not wait for a running creation task`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            for row in CreationRow.allCases {
                let subject = CreationSubject(row)
                subject.registerSlow()
                let tasks = try await subject.takeOff(callers: 1)
                let late = Task {
                    withUnsafeCurrentTask { $0?.cancel() }
                    return try await subject.resolve()
                }
                await CreationCancellationTests.requireLeaving(late, row)
                subject.mayFinish.open()
                _ = try await tasks[0].value
                Child.require(subject.made.value == 1, "\(row): one run of \(subject.made.value)")
            }
        }
    }

    @Test(arguments: [ResolverScope.unique, .graph])
    func `a cancelled caller of an uncached service gets a cancellation error`(_ scope: ResolverScope)
        async throws
    {
        let resolver = Resolver()
        let hasStarted = Gate(), opensNever = Gate()
        resolver.register { () -> Leaf in
            hasStarted.open()
            try await opensNever.passUnlessCancelled()
            return Leaf()
        }.scope(scope)
        let task = Task { try await resolver.resolveAsync(Leaf.self) }
        try await hasStarted.passUnlessCancelled()
        task.cancel()
        #expect(await task.result.error is CancellationError)
    }

    /// If the wait graph still had the cancelled wait, the other call would report a dependency cycle.
    @Test func `a cancelled wait of a child task causes no false dependency cycle`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let resolver = Resolver(), callers = Callers()
            let otherHasStarted = Gate(), otherMayGoOn = Gate(), mayFinish = Gate()
            resolver.register { r -> OtherLeaf in
                otherHasStarted.open()
                try await otherMayGoOn.passUnlessCancelled()
                _ = try await r.resolveAsync(Leaf.self)
                return OtherLeaf()
            }.scope(.container)
            resolver.register { r -> Leaf in
                try await otherHasStarted.passUnlessCancelled()
                let childRuns = Gate()
                await withTaskGroup(of: Void.self) { group in
                    group.addTask {
                        await callers.here {
                            childRuns.open()
                            let error = await outcome { try await r.resolveAsync(OtherLeaf.self) }.error
                            Child.require(error is CancellationError, "gives up: \(String(describing: error))")
                        }
                    }
                    try? await childRuns.passUnlessCancelled()
                    await callers.untilAllWait()
                    group.cancelAll()
                }
                otherMayGoOn.open()
                try await mayFinish.passUnlessCancelled()
                return Leaf()
            }.scope(.container)
            let other = callers.call { try await resolver.resolveAsync(OtherLeaf.self) }
            let leaf = callers.call { try await resolver.resolveAsync(Leaf.self) }
            // The creation task of `OtherLeaf` resolves `Leaf`.
            try await otherMayGoOn.passUnlessCancelled()
            mayFinish.open()
            let errors = [await other.result.error, await leaf.result.error].compactMap { $0 }
            Child.require(errors.isEmpty, "no cycle: \(errors)")
        }
    }
}
