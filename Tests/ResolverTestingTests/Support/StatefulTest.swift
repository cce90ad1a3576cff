import Resolver

/// A test that uses everything a process shares. It may run while others do the same, and takes down what is not its own.
final class Guest: Sendable {
    private let name: String
    /// Whom it registers on.
    private let resolver: Resolver
    private let found = Box<[String]>([])

    /// What was there that should not, and what was not there that should.
    var complaints: [String] { found.value }

    /// - Parameter resolver: `main`, or `root` in the style of 1.5.1.
    init(_ number: Int, registeringOn resolver: Resolver) {
        name = "guest \(number)"
        self.resolver = resolver
    }

    /// One after the other, with whatever others do in between.
    static let steps: [@Sendable (Guest) -> Void] = [
        { $0.findNothingOfOthers() },
        { $0.register() },
        { $0.begin() },
        { $0.writeByFunctions() },
        { $0.writeByWrappers() },
        { $0.useWhatTheAppHas() },
        { $0.resetScopes() },
        { $0.writeByFunctions() },
        { $0.resetOnlyTheDrawer() },
        { $0.logOut() },
        { $0.resetAll() },
    ]

    func expect(_ isTrue: Bool, _ claim: String) {
        if !isTrue { found.update { $0.append("\(name): not so: \(claim)") } }
    }

    // MARK: The steps

    private func findNothingOfOthers() {
        for kept in Keeping.allCases {
            expect(Resolver.existing(Note.self, name: kept.name) == nil, "nothing is kept in \(kept) yet")
        }
        expect(ScopeContext.shared.currentID(for: .session) == nil, "no session is current")
        expect(ScopeContext.shared.openScopes().isEmpty, "nothing is open")
    }

    private func register() {
        for keeping in Keeping.allCases { keeping.register(on: resolver, by: name) }
    }

    private func begin() {
        ScopeContext.shared.setCurrent(.session, id: name)
        ScopeContext.shared.setCurrent(.screen, id: "home")
    }

    private func writeByFunctions() {
        for keeping in Keeping.allCases {
            let note: Note = Resolver.resolve(name: keeping.name)
            expect(note.author == name, "\(keeping) is mine, not that of \(note.author)")
            expect(note.lines.increment() == 1, "\(keeping) is unwritten, not \(note.lines.value) lines long")
            expect(Resolver.resolve(Note.self, name: keeping.name) === note, "\(keeping) is kept")
        }
    }

    private struct Desk {
        @Injected(name: .application) var application: Note
        @LazyInjected(name: .cached) var cached: Note
        @OptionalInjected(name: .drawer) var drawer: Note?
        @Inject(name: .session) var session: Note?
    }

    private func writeByWrappers() {
        let desk = Desk()
        for note in [desk.application, desk.cached, desk.drawer, desk.session] {
            expect(note?.author == name, "a property has mine, not that of \(note?.author ?? "no author")")
            expect(note?.lines.increment() == 2, "a property has what the function has")
        }
    }

    private func useWhatTheAppHas() {
        let note: Note = Resolver.resolve(name: .printed)
        expect(note.author == "app", "what the app has registered is found")
        expect(note.lines.increment() == 1, "and made for me alone")
        expect(Resolver.resolve(Note.self, name: .printed) === note, "and kept for me")
    }

    private func resetScopes() {
        // A reference keeps the shared instance alive, so only a reset makes a new one.
        let shared: Note = Resolver.resolve(name: Keeping.shared.name)
        ResolverScope.application.reset()
        ResolverScope.cached.reset()
        ResolverScope.shared.reset()
        ResolverScope.drawer.reset()
        resolver.cache.reset()
        resolver.reset(scope: ResolverScope.container)
        ScopeContext.shared.clearAll()
        for keeping in Keeping.allCases {
            expect(Resolver.existing(Note.self, name: keeping.name) == nil, "\(keeping) was reset")
        }
        expect(Resolver.existing(Note.self, name: .printed) == nil, "what was made for me of the app's was reset")
        withExtendedLifetime(shared) {}
        begin()
    }

    private func resetOnlyTheDrawer() {
        let cached = Resolver.existing(Note.self, name: .cached)
        ResolverScope.drawer.reset()
        expect(Resolver.existing(Note.self, name: .drawer) == nil, "the drawer was reset")
        expect(cached?.author == name && Resolver.existing(Note.self, name: .cached) === cached, "and nothing else")
    }

    private func logOut() {
        expect(ScopeContext.shared.currentID(for: .session) == name, "it is I who am logged in")
        expect(ScopeContext.shared.openScopes().map(\.id) == [name, "home"], "my scopes are open and no others")
        ScopeContext.shared.clear(.session, cascade: true)
        expect(Resolver.existing(Note.self, name: .session) == nil, "logged out")
        expect(ScopeContext.shared.openScopes().isEmpty, "with all that was open")
    }

    private func resetAll() {
        Resolver.reset()
        expect(Resolver.root === Resolver.main, "root is main again")
        // What the app registers under these names is found again, and makes new ones.
        for kept in [Keeping.cached, .drawer] {
            let note: Note = Resolver.resolve(name: kept.name)
            expect(note.author == "app", "\(kept) is the app's again, not that of \(note.author)")
            expect(note.lines.value == 0, "\(kept) is new")
        }
    }
}
