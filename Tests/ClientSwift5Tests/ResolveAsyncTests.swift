import Resolver
import XCTest

/// The asynchronous calls in an app in Swift 5 mode.
final class ResolveAsyncTests: XCTestCase {
    @MainActor
    final class Screen {
        let title = "screen"
    }

    func testAServiceOfTheMainActorIsMadeThereForCodeThatIsElsewhere() async throws {
        let resolver = Resolver()
        resolver.register { @MainActor in Screen() }.scope(.container)
        let first = try await Task.detached { try await resolver.resolveAsync(Screen.self) }.value
        let second: Screen = try await resolver.resolveAsync()
        XCTAssert(first === second)
        XCTAssertEqual(first.title, "screen")
    }

    func testPlainCallsAreStillTheSynchronousOnes() async {
        let resolver = Resolver()
        resolver.register { Journal() }
        let journal: Journal = resolver.resolve()
        XCTAssertEqual(journal.entries, [])
        XCTAssertNil(resolver.optional(Screen.self))
    }

    func testWhatIsNotRegisteredIsNil() async throws {
        let screen = try await Resolver().optionalAsync(Screen.self)
        XCTAssertNil(screen)
    }

    // MARK: Asynchronous factories

    private func notes(from resolver: Resolver) async throws -> [Note] {
        let note: Note = try await resolver.resolveAsync()
        return try await [note, resolver.optionalAsync()].compactMap { $0 }
    }

    @MainActor private func notesOnTheMainActor(from resolver: Resolver) async throws -> [Note] {
        let note: Note = try await resolver.resolveAsync()
        return try await [note, resolver.optionalAsync()].compactMap { $0 }
    }

    private actor Shelf {
        func notes(from resolver: Resolver) async throws -> [Note] {
            let note: Note = try await resolver.resolveAsync()
            return try await [note, resolver.optionalAsync()].compactMap { $0 }
        }
    }

    func testAnAsynchronousServiceThatIsKeptIsHadFromEverywhere() async throws {
        try await haveFromEverywhere(in: .container, instances: 1)
    }

    func testAnAsynchronousServiceThatIsNotKeptIsMadeFromEverywhere() async throws {
        try await haveFromEverywhere(in: .unique, instances: 10)
    }

    private func haveFromEverywhere(in scope: ResolverScope, instances: Int) async throws {
        let resolver = Resolver()
        resolver.register { try await Note.load() }.scope(scope)
        var all = try await notes(from: resolver) + notesOnTheMainActor(from: resolver) + Shelf().notes(from: resolver)
        all += try await Task {
            let note: Note = try await resolver.resolveAsync()
            return try await [note, resolver.optionalAsync()].compactMap { $0 }
        }.value
        all += try await withThrowingTaskGroup(of: Note?.self) { group in
            group.addTask { try await resolver.resolveAsync(Note.self) }
            group.addTask { try await resolver.optionalAsync() }
            return try await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
        }
        XCTAssertEqual(all.map(\.label), Array(repeating: "loaded", count: 10))
        XCTAssertEqual(Set(all.map(ObjectIdentifier.init)).count, instances)
    }
}
