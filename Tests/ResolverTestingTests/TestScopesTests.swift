import Resolver
import ResolverTesting
import Testing

@Suite(.resolver) struct TestScopesTests {
    private let context = ScopeContext.shared

    /// Opens a context of the process, as an app that runs beside the test.
    private func openInProcess(_ kind: ScopeKind, id: String) async -> ScopeHandle {
        await Threads.result { ScopeContext.shared.open(kind, id: id) }
    }

    @Test func `openScopes lists only the test's contexts`() async {
        let ofProcess = await openInProcess(.screen, id: "of the process")
        context.setCurrent(.session, id: "Ada")
        let opened = context.open(.request, id: "1")
        expect(context.openScopes().map(\.id), is: ["Ada", "1"])
        let id = await Threads.result { ScopeContext.shared.openScopes().map(\.id) }
        expect(id.contains("of the process"))
        expect(!id.contains("Ada"))
        opened.end()
        ofProcess.end()
    }

    /// - Parameter byID: whether one context is ended by its id, or all are cleared.
    @Test(arguments: [false, true])
    func `clearAll, or end with an id, ends only the test's contexts`(_ byID: Bool) async {
        let ofProcess = await openInProcess(.screen, id: "the same id")
        let session = context.setCurrent(.session, id: "Ada"), screen = context.setCurrent(.screen, id: "the same id")
        if byID { context.end(.screen, id: "the same id") } else { context.clearAll() }
        expect([session.isOpen, screen.isOpen, ofProcess.isOpen], is: [byID, false, true])
        ofProcess.end()
    }

    @Test func `an observer sees only the events of its test, or of the process`() async {
        let events = Box<[ScopeEvent]>([]), ofProcess = Box<[ScopeEvent]>([])
        let own = context.observe { events.append($0) }
        let other = await Threads.result { ScopeContext.shared.observe { ofProcess.append($0) } }
        let session = ScopeEvent.Scope(kind: .session, id: "of the test"),
            screen = ScopeEvent.Scope(kind: .screen, id: "other")
        await Threads.result { ScopeContext.shared.open(.screen, id: "other").end() }
        context.setCurrent(.session, id: session.id)
        context.clear(.session)
        context.clear(.screen)
        own.cancel()
        other.cancel()
        context.setCurrent(.screen, id: "later")
        let end = ScopeEvent.ended(session, reason: .cleared, instances: 0)
        expect(events.value, is: [.opened(session), end, .clearedWithoutScope(.screen)])
        expect(ofProcess.value.contains(.opened(screen)) && !ofProcess.value.contains(.opened(session)))
    }

    @Test func `the app's session services are created for the test's session`() async {
        let app = await App.main
        context.setCurrent(.session, id: "Ada")
        let note: Note = Resolver.resolve(name: .session)
        expect(note.author, is: "app")
        expect(Resolver.resolve(Note.self, name: .session) === note)
        await expect(Threads.result { app.existing(Note.self, name: .session) }, is: nil)
    }

    @Test func `a request that is set by hand ends with its test`() async {
        let seen = await Threads.result {
            Resolver.withTestResolver { _ = ScopeContext.shared.setCurrent(.request, id: "left behind") }
            return Resolver.withTestResolver { ScopeContext.shared.currentID(for: .request) }
        }
        expect(seen, is: nil)
    }

    @Suite(
        .resolver { _ in
            ScopeContext.shared.setCurrent(.session, id: "of the suite")
            Resolver.root = Resolver(child: .main)
        })
    struct InASuite {
        @Test func `a test inherits the context and root that the suite's trait sets`() {
            expect(ScopeContext.shared.currentID(for: .session), is: "of the suite")
            expect(Resolver.root !== Resolver.main)
        }

        @Test(.resolver) func `a test with its own trait has its own contexts`() {
            expect(ScopeContext.shared.currentID(for: .session), is: nil)
        }
    }
}
