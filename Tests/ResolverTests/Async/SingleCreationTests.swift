import Resolver
import Testing

/// How often an asynchronous factory runs, and which callers get its instance.
@Suite struct SingleCreationTests {
    @Test(arguments: CreationRow.allCases)
    func `sixty four waiters for a service and its alias get the instance of one factory run`(_ row: CreationRow)
        async throws
    {
        let subject = CreationSubject(row)
        subject.registerSlow()
        let direct = subject.callers.call(times: 32) { try await subject.resolve() as any Role }
        let alias = subject.callers.call(times: 32) { try await subject.resolveAlias() }
        await subject.callers.untilAllWait()
        subject.mayFinish.open()
        var got: [any Role] = []
        for task in direct + alias { got.append(try await task.value) }
        #expect(got.count == 64)
        #expect(Set(got.map { ObjectIdentifier($0) }).count == 1)
        #expect(try await subject.resolve() === got[0])
        #expect(subject.made.value == 1)
    }

    /// The callers run on several threads. Any of them may be first, and others may come before or after the creation
    /// finishes.
    @Test(arguments: CreationRow.allCases)
    func `sixty four concurrent callers get the instance of one factory run`(_ row: CreationRow) async throws {
        for _ in 0..<20 {
            let subject = CreationSubject(row)
            subject.registerCounted { _ in await Task.yield() }
            let got = try await Tasks.results(64) { index -> any Role in
                index % 2 == 0 ? try await subject.resolve() : try await subject.resolveAlias()
            }
            #expect(Set(got.map { ObjectIdentifier($0) }).count == 1)
            #expect(subject.made.value == 1)
        }
    }

    @Test func `a value in the shared scope reaches all waiters and is not cached`() async {
        await #expect(processExitsWith: .success) {
            let subject = CreationSubject(.shared)
            subject.register { [mayFinish = subject.mayFinish] run in
                try await mayFinish.passUnlessCancelled()
                return run
            }
            let values = try await subject.outcomes(of: 16) { try await subject.resolve(Int.self) }.map { try $0.get() }
            #expect(values == Array(repeating: 1, count: 16))
            #expect(try await subject.resolve(Int.self) == 2)
        }
    }

    /// The creation task itself retains the instance for a moment after it has finished.
    @Test func `a shared instance stays as long as a reference to it exists`() async {
        await #expect(processExitsWith: .success) {
            let subject = CreationSubject(.shared), isReleased = Gate()
            subject.mayFinish.open()
            subject.registerDeinitCallback { isReleased.open() }
            var held: DeinitCallback? = try await subject.resolve(DeinitCallback.self)
            let again = try await subject.resolve(DeinitCallback.self)
            #expect(again === held)
            #expect(subject.made.value == 1)
            held = nil
            _ = consume again
            try await isReleased.passUnlessCancelled()
            _ = try await subject.resolve(DeinitCallback.self)
            #expect(subject.made.value == 2)
        }
    }

    /// Another job of the main actor runs only if this one suspends.
    @Test(arguments: CreationRow.allCases)
    @MainActor func `every call returns a cached instance without suspending`(_ row: CreationRow) async throws {
        let subject = CreationSubject(row)
        subject.registerCounted()
        let kept = try await subject.resolve()
        let hasRun = Box(false), other = Task { hasRun.set(true) }
        #expect(try subject.resolveSynchronously() === kept)
        #expect(try await subject.resolve() === kept)
        #expect(try await subject.optional() === kept)
        #expect(try await subject.resolveAlias() === kept)
        #expect(!hasRun.value)
        await other.value
    }

    @Test(arguments: CreationRow.allCases)
    func `a cancelled task gets a cached instance`(_ row: CreationRow) async throws {
        let subject = CreationSubject(row)
        subject.registerCounted()
        let kept = try await subject.resolve()
        let got = try await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            #expect(Task.isCancelled)
            return [try await subject.resolve() as any Role, try await subject.resolveAlias()]
        }.value
        #expect(got[0] === kept)
        #expect(got[1] === kept)
        #expect(subject.made.value == 1)
    }
}
