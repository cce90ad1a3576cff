import Resolver
import ResolverTesting
import Testing

/// Hundreds of parallel tests that try to disturb each other.
@Suite struct ParallelTests {
    private static let guests = 0..<200

    /// Returns the process's instances, which no test may change or release.
    private func process() async -> [Note] {
        let main = await App.main
        return await Threads.result { Keeping.outsideOfScopes.map { main.resolve(Note.self, name: $0) } }
    }

    /// - Parameter isRoot: whether the guest registers on a child of main that is the root, or on main.
    private static func guest(_ number: Int, isRoot: Bool) -> Guest {
        guard isRoot else { return Guest(number, registeringOn: .main) }
        Resolver.root = Resolver(child: .main)
        return Guest(number, registeringOn: .root)
    }

    @Test(.resolver, arguments: guests, [false, true])
    func `parallel tests do not see each other`(_ number: Int, whoseRootIsAChildOfMain isRoot: Bool) async {
        let before = await process()
        let guest = Self.guest(number, isRoot: isRoot)
        for step in Guest.steps {
            step(guest)
            await Task.yield()
        }
        #expect(guest.complaints == [])
        let after = await process()
        #expect(after.map(ObjectIdentifier.init) == before.map(ObjectIdentifier.init))
        #expect(after.map(\.author) == Array(repeating: "app", count: after.count))
        #expect(after.map(\.lines.value) == Array(repeating: 0, count: after.count))
    }

    /// All guests finish a step before any guest begins the next one.
    private static func complaintsOfACrowd(isRoot: Bool) async -> [String] {
        let count = 50, meeting = Barrier(count), complaints = Box<[String]>([])
        await Threads.results(count) { number in
            Resolver.withTestResolver {
                let guest = guest(number, isRoot: isRoot)
                for step in Guest.steps {
                    meeting.arriveAndWait()
                    step(guest)
                }
                complaints.update { $0 += guest.complaints }
            }
        }
        return complaints.value
    }

    @Test(arguments: [false, true])
    func `concurrent tests leave nothing in the process`(whoseRootIsAChildOfMain isRoot: Bool) async {
        await #expect(processExitsWith: .success) { [isRoot] in
            let main = await App.main, process = Keeping.outsideOfScopes.map { main.resolve(Note.self, name: $0) }
            #expect(await ParallelTests.complaintsOfACrowd(isRoot: isRoot) == [])
            #expect(Resolver.main === main)
            #expect(Resolver.root === main)
            #expect(process.map(\.lines.value) == Array(repeating: 0, count: process.count))
            for (name, note) in zip(Keeping.outsideOfScopes, process) {
                #expect(Resolver.existing(Note.self, name: name) === note)
            }
            #expect(ScopeContext.shared.openScopes().isEmpty)
            #expect(ScopeContext.shared.currentID(for: .session) == nil)
            #expect(ScopeContext.shared.currentID(for: .screen) == nil)
        }
    }

    @Test(.resolver, arguments: 0..<2)
    func `a singleton of a child belongs to the test`(_ number: Int) {
        Resolver.root = Resolver(child: .main)
        Resolver.root.register(name: "single") { Note(by: "guest \(number)") }.scope(.application)
        let note: Note = Resolver.resolve(name: "single")
        #expect(note.author == "guest \(number)")
        ResolverScope.application.reset()
        #expect(Resolver.existing(Note.self, name: "single") == nil)
    }
}
