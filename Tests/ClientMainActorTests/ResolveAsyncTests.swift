import Resolver
import Testing

/// The asynchronous calls in a main-actor module.
@Suite struct ResolveAsyncTests {
    private let resolver = Resolver()

    @Test func `a service of the main actor is created there for a detached task`() async throws {
        resolver.register { @MainActor in Model() }
        let model = try await Task.detached { [resolver] in try await resolver.resolveAsync(Model.self) }.value
        #expect(model.title == "model")
    }

    @Test func `a service of the main actor is created on it without suspending`() async throws {
        resolver.register { @MainActor in Model() }
        var hasSuspended = false
        let other = Task { hasSuspended = true }
        #expect(try await resolver.resolveAsync(Model.self).title == "model")
        #expect(!hasSuspended)
        await other.value
    }

    @Test func `a view model can resolve in its own functions`() async throws {
        @MainActor final class Screen {
            private(set) var model: Model?

            func load(from resolver: Resolver) async throws {
                model = try await resolver.optionalAsync()
            }
        }
        let screen = Screen()
        try await screen.load(from: resolver)
        #expect(screen.model == nil)
        resolver.register { @MainActor in Model() }
        try await screen.load(from: resolver)
        #expect(screen.model?.title == "model")
    }

    // MARK: Asynchronous factories

    nonisolated private func notes() async throws -> [Note] {
        let note: Note = try await resolver.resolveAsync()
        return try await [note, #require(resolver.optionalAsync())]
    }

    private func notesOnTheMainActor() async throws -> [Note] {
        let note: Note = try await resolver.resolveAsync()
        return try await [note, #require(resolver.optionalAsync())]
    }

    private actor Shelf {
        func notes(from resolver: Resolver) async throws -> [Note] {
            let note: Note = try await resolver.resolveAsync()
            return try await [note, #require(resolver.optionalAsync())]
        }
    }

    @Test(arguments: [(.container, 1), (.unique, 10)] as [(ResolverScope, Int)])
    func `an asynchronous service can be resolved from any isolation`(in scope: ResolverScope, instances: Int)
        async throws
    {
        resolver.register { try await Note.load() }.scope(scope)
        var all = try await notes() + notesOnTheMainActor() + Shelf().notes(from: resolver)
        all += try await Task { [resolver] in
            let note: Note = try await resolver.resolveAsync()
            return try await [note, #require(resolver.optionalAsync())]
        }.value
        try await withThrowingTaskGroup(of: Note.self) { [resolver] group in
            group.addTask { try await resolver.resolveAsync() }
            group.addTask { try #require(try await resolver.optionalAsync()) }
            for try await note in group { all.append(note) }
        }
        #expect(all.map(\.label) == Array(repeating: "loaded", count: 10))
        #expect(Set(all.map(ObjectIdentifier.init)).count == instances)
    }
}
