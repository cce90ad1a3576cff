import Resolver
import XCTest

/// The doors for asynchronous code, in an app that is still in Swift 5 mode.
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
}
