import Foundation
import Resolver
import Testing

/// Property wrappers in `Sendable` types. A wrapped property of a class is a variable, which a `Sendable` class must
/// not have. It may have a constant that holds a wrapper or a structure of wrapped properties.
///
/// A module whose default isolation is the main actor does not compile this file: a wrapped property cannot be
/// `nonisolated`.
@Suite struct SendableWrapperTests {
    private struct Needs: Sendable {
        @Injected(container: .shelf) var note: Note
        @OptionalInjected(container: .shelf) var optional: Note?
        @LazyInjected(container: .shelf) var lazy: Note
        @WeakLazyInjected(container: .shelf) var weak: Note?

        var all: [Note?] { [note, optional, lazy, weak] }
    }

    private final class Station: Sendable {
        private let needs = Needs()
        private let lazy: LazyInjected<Note>

        init(_ resolver: Resolver = .shelf) { lazy = LazyInjected(container: resolver) }

        var note: Note { lazy.wrappedValue }
        var all: [Note?] { needs.all + [note] }
    }

    @Test func `a Sendable class may read Sendable wrappers on any thread`() async {
        let kept = Resolver.shelf.resolve(Note.self), station = Station()
        await expect(Task.detached { station.all }.value.map { $0 === kept }, is: [true, true, true, true, true])
    }

    @Test func `a Sendable structure may pass wrappers to another task`() async {
        let kept = Resolver.shelf.resolve(Note.self), needs = Needs()
        await expect(Task.detached { needs.all }.value.map { $0 === kept }, is: [true, true, true, true])
    }
}
