import Resolver
import Testing

/// The doors for asynchronous code in a module that lives on the main actor.
@Suite struct ResolveAsyncTests {
    private let resolver = Resolver()

    @Test func aServiceOfTheMainActorIsMadeThereForCodeThatIsElsewhere() async throws {
        resolver.register { @MainActor in Model() }
        let model = try await Task.detached { [resolver] in try await resolver.resolveAsync(Model.self) }.value
        #expect(model.title == "model")
    }

    @Test func hereItIsMadeWithoutSuspending() async throws {
        resolver.register { @MainActor in Model() }
        var hasSuspended = false
        let other = Task { hasSuspended = true }
        #expect(try await resolver.resolveAsync(Model.self).title == "model")
        #expect(!hasSuspended)
        await other.value
    }

    @Test func aViewModelCanAskInItsOwnFunctions() async throws {
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
}
