import Observation
import Resolver
import Testing

@Suite struct WrapperIsolationTests {
    private actor Desk {
        @Injected(container: .shelf) private var note: Note
        @OptionalInjected(container: .shelf) private var optional: Note?
        @LazyInjected(container: .shelf) private var lazy: Note
        @WeakLazyInjected(container: .shelf) private var weak: Note?

        func notes() -> [Note?] { [note, optional, lazy, weak] }

        func replace(with other: Note) -> [Note?] {
            (note, optional, lazy, weak) = (other, other, other, other)
            return notes()
        }

        func readAgain() -> [Note?] {
            $lazy.release()
            $lazy.name = .fred
            return [lazy]
        }
    }

    @Test func `an actor may read and set wrapped properties`() async {
        let kept = Resolver.shelf.resolve(Note.self), desk = Desk()
        await expect(desk.notes().map { $0 === kept }, is: [true, true, true, true])
        let other = Note("other")
        await expect(desk.replace(with: other).map { $0 === other }, is: [true, true, true, true])
        await expect(desk.readAgain().map(\.?.label), is: ["fred"])
    }

    @MainActor private final class Panel {
        @Injected(container: .shelf) var note: Note
        @OptionalInjected(container: .shelf) var optional: Note?
        @LazyInjected(container: .shelf) var screen: Screen
        @WeakLazyInjected(container: .shelf) var weak: Screen?
    }

    /// Nonisolated services, and a service of the actor.
    @Test @MainActor func `an object of the main actor may read wrapped properties`() async {
        await Task.yield()
        let panel = Panel(), kept = Resolver.shelf.resolve(Note.self)
        expect(panel.note === kept)
        expect(panel.optional === kept)
        expect(panel.screen.label, is: "screen")
        expect(panel.weak === panel.screen)
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @Observable @MainActor final class Model {
        @ObservationIgnored @Injected(container: .shelf) var note: Note
        @ObservationIgnored @OptionalInjected(container: .shelf) var optional: Note?
        @ObservationIgnored @LazyInjected(container: .shelf) var lazy: Note
        @ObservationIgnored @WeakLazyInjected(container: .shelf) var weak: Note?
        var count = 0
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @Observable nonisolated final class FreeModel {
        @ObservationIgnored @Injected(container: .shelf) var note: Note
        @ObservationIgnored @LazyInjected(container: .shelf) var lazy: Note
        var count = 0
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @Test @MainActor func `an observable object may read wrapped properties`() {
        let model = Model(), kept = Resolver.shelf.resolve(Note.self)
        expect([model.note, model.optional, model.lazy, model.weak].map { $0 === kept }, is: [true, true, true, true])
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @Test func `reading wrapped properties is not observed`() {
        let model = FreeModel(), changes = Box(0)
        withObservationTracking {
            _ = (model.note, model.lazy)
        } onChange: {
            changes.increment()
        }
        model.lazy = Note("other")
        model.count += 1
        expect(changes.value, is: 0)
        expect(model.lazy.label, is: "other")
    }

    @Test func `property wrappers inject a cached asynchronous service`() async throws {
        let resolver = Resolver()
        resolver.register { try await Note.load() }.scope(.container)
        let note = try await resolver.resolveAsync(Note.self)
        @Injected(container: resolver) var injected: Note
        @OptionalInjected(container: resolver) var optional: Note?
        @LazyInjected(container: resolver) var lazy: Note
        @WeakLazyInjected(container: resolver) var weak: Note?
        expect([injected, optional, lazy, weak].map { $0 === note }, is: [true, true, true, true])
    }
}
