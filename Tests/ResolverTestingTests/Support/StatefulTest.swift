import Resolver

/// A test that uses all process-wide state. Other tests may do the same at any time.
final class StatefulTest: Sendable {
    private let name: String, resolver: Resolver
    private let found = Box<[String]>([])

    var failures: [String] { found.value }

    /// - Parameter resolver: where it registers: `main`, or `root` in the style of 1.5.1.
    init(_ number: Int, registeringOn resolver: Resolver) {
        name = "test \(number)"
        self.resolver = resolver
    }

    /// The steps in their order. Other tests may run between them.
    static let steps: [@Sendable (StatefulTest) -> Void] = [
        { $0.findNothing() },
        { $0.register() },
        { $0.begin() },
        { $0.writeByFunctions() },
        { $0.writeByWrappers() },
        { $0.useServiceOfApp() },
        { $0.resetScopes() },
        { $0.writeByFunctions() },
        { $0.resetOneScope() },
        { $0.logOut() },
        { $0.resetAll() },
    ]

    private func expect(_ isTrue: Bool, _ claim: @autoclosure () -> String) {
        if !isTrue { found.append("\(name): not so: \(claim())") }
    }

    private func expectNoInstances(_ moment: String) {
        for kept in Keeping.allCases {
            expect(Resolver.existing(Note.self, name: kept.name) == nil, "\(kept) has no instance \(moment)")
        }
    }

    private func findNothing() {
        expectNoInstances("at first")
        expect(ScopeContext.shared.currentID(for: .session) == nil, "no session is current")
        expect(ScopeContext.shared.openScopes().isEmpty, "no context is open")
    }

    private func register() { for keeping in Keeping.allCases { keeping.register(on: resolver, by: name) } }

    private func begin() {
        ScopeContext.shared.setCurrent(.session, id: name)
        ScopeContext.shared.setCurrent(.screen, id: "home")
    }

    private func writeByFunctions() {
        for keeping in Keeping.allCases {
            let note: Note = Resolver.resolve(name: keeping.name)
            expect(note.author == name, "\(keeping) has the test's instance, not that of \(note.author)")
            expect(note.lines.increment() == 1, "\(keeping) has a new instance")
            expect(Resolver.resolve(Note.self, name: keeping.name) === note, "\(keeping) keeps its instance")
        }
    }

    private struct Properties {
        @Injected(name: .application) var application: Note
        @LazyInjected(name: .cached) var cached: Note
        @OptionalInjected(name: .custom) var custom: Note?
        @Inject(name: .session) var session: Note?
    }

    private func writeByWrappers() {
        let properties = Properties()
        for note in [properties.application, properties.cached, properties.custom, properties.session] {
            expect(note?.author == name, "a property has the test's instance, not that of \(note?.author ?? "none")")
            expect(note?.lines.increment() == 2, "a property has the instance of the functions")
        }
    }

    private func useServiceOfApp() {
        let note: Note = Resolver.resolve(name: .printed)
        expect(note.author == "app", "the app's registration is found")
        expect(note.lines.increment() == 1, "its instance is created for the test")
        expect(Resolver.resolve(Note.self, name: .printed) === note, "its instance is kept for the test")
    }

    private func resetScopes() {
        // A reference keeps the shared instance alive, so only a reset makes a new one.
        let shared: Note = Resolver.resolve(name: Keeping.shared.name)
        for scope in [ResolverScope.application, .cached, .shared, .custom] { scope.reset() }
        resolver.cache.reset()
        resolver.reset(scope: ResolverScope.container)
        ScopeContext.shared.clearAll()
        expectNoInstances("after a reset")
        expect(Resolver.existing(Note.self, name: .printed) == nil, "the instance of the app's service was reset")
        withExtendedLifetime(shared) {}
        begin()
    }

    private func resetOneScope() {
        let cached = Resolver.existing(Note.self, name: .cached)
        ResolverScope.custom.reset()
        expect(Resolver.existing(Note.self, name: .custom) == nil, "the scope was reset")
        expect(
            cached?.author == name && Resolver.existing(Note.self, name: .cached) === cached, "no other scope was reset"
        )
    }

    private func logOut() {
        expect(ScopeContext.shared.currentID(for: .session) == name, "the test's session is current")
        expect(ScopeContext.shared.openScopes().map(\.id) == [name, "home"], "only the test's contexts are open")
        ScopeContext.shared.clear(.session, cascade: true)
        expect(Resolver.existing(Note.self, name: .session) == nil, "the session has ended")
        expect(ScopeContext.shared.openScopes().isEmpty, "the screen has ended with it")
    }

    private func resetAll() {
        Resolver.reset()
        expect(Resolver.root === Resolver.main, "root is main again")
        // The app's registrations under these names are found again, and create new instances.
        for kept in [Keeping.cached, .custom] {
            let note: Note = Resolver.resolve(name: kept.name)
            expect(note.author == "app", "\(kept) has the app's instance again, not that of \(note.author)")
            expect(note.lines.value == 0, "\(kept) has a new instance")
        }
    }
}
