import Resolver
import ResolverTesting
import Testing

/// Hundreds of parallel tests that use all process-wide state.
@Suite struct ParallelTests {
    /// - Parameter isRoot: whether the test registers on a child of main that is the root, or on main.
    private static func test(_ number: Int, isRoot: Bool) -> StatefulTest {
        guard isRoot else { return StatefulTest(number, registeringOn: .main) }
        Resolver.root = Resolver(child: .main)
        return StatefulTest(number, registeringOn: .root)
    }

    @Test(.resolver, arguments: 0..<Sanitizer.rounds(200), [false, true])
    func `parallel tests do not see each other`(_ number: Int, whoseRootIsAChildOfMain isRoot: Bool) async {
        // No test may change or release the process's instances.
        let main = await App.main
        let process = { await Threads.result { Keeping.outsideOfScopes.map { main.resolve(Note.self, name: $0) } } }
        let before = await process()
        let test = Self.test(number, isRoot: isRoot)
        for step in StatefulTest.steps {
            step(test)
            await Task.yield()
        }
        expect(test.failures, is: [])
        let after = await process()
        expect(after.map(ObjectIdentifier.init), is: before.map(ObjectIdentifier.init))
        expect(after.map(\.author), is: Array(repeating: "app", count: after.count))
        expect(after.map(\.lines.value), is: Array(repeating: 0, count: after.count))
    }

    @Test(.resolver, arguments: 0..<50)
    func `a container that is a singleton of the app is each test's own`(_ number: Int) async {
        struct Reader { @Injected(container: .branch) var note: Note }
        _ = await App.main
        Resolver.branch.register { Note(by: "\(number)") }
        await Task.yield()
        expect(Reader().note.author, is: "\(number)")
    }

    /// All tests finish a step before any begins the next one.
    @Test(arguments: [false, true])
    func `concurrent tests leave nothing in the process`(whoseRootIsAChildOfMain isRoot: Bool) async {
        await #expect(processExitsWith: .success) { [isRoot] in
            let main = await App.main, process = Keeping.outsideOfScopes.map { main.resolve(Note.self, name: $0) }
            let count = 50, meeting = Barrier(count)
            let failures = await Threads.results(count) { number in
                Resolver.withTestResolver {
                    let test = ParallelTests.test(number, isRoot: isRoot)
                    for step in StatefulTest.steps {
                        meeting.arriveAndWait()
                        step(test)
                    }
                    return test.failures
                }
            }
            expect(failures.flatMap { $0 }, is: [])
            expect(Resolver.main === main)
            expect(Resolver.root === main)
            expect(process.map(\.lines.value), is: Array(repeating: 0, count: process.count))
            for (name, note) in zip(Keeping.outsideOfScopes, process) {
                expect(Resolver.existing(Note.self, name: name) === note)
            }
            expect(ScopeContext.shared.openScopes().isEmpty)
            expect(ScopeContext.shared.currentID(for: .session), is: nil)
            expect(ScopeContext.shared.currentID(for: .screen), is: nil)
        }
    }
}
