import Resolver
import Testing

/// Scopes that follow an app through its life. Each test is a process of its own: there is one session in a process.
@Suite struct AppLifecycleTests {
    private static let kinds: [ScopeKind] = [.session, .screen, .request]

    @Test func `the id of the session is what the app has given`() async {
        await #expect(processExitsWith: .success) {
            NotesApp(now: { 1_700_000_000.25 }).didBecomeActive()
            #expect(ScopeContext.shared.currentID(for: .session) == "notes since 1700000000.25")
        }
    }

    @Test func `in the background the screen is released and the session kept`() async {
        await #expect(processExitsWith: .success) {
            let app = NotesApp()
            app.didBecomeActive()
            weak let kept = AppLifecycleTests.service(of: .session)
            ScopeContext.shared.setCurrent(.screen, id: "list")
            weak let released = AppLifecycleTests.service(of: .screen)
            #expect(released != nil)
            app.didEnterBackground()
            #expect(released == nil)
            #expect(kept != nil)
            #expect(ScopeContext.shared.currentID(for: .screen) == nil)
        }
    }

    @Test func `an app that comes back has the session that it left`() async {
        await #expect(processExitsWith: .success) {
            let time = Box(1.0), log = ScopeLog(.session), app = NotesApp { time.value }
            app.didBecomeActive()
            let service = AppLifecycleTests.service(of: .session)
            app.didEnterBackground()
            time.set(2)
            app.didBecomeActive()
            #expect(Resolver.optional(Leaf.self, name: "session") === service)
            #expect(ScopeContext.shared.currentID(for: .session) == "notes since 1.0")
            #expect(log.events == [.opened(.init(kind: .session, id: "notes since 1.0"))])
        }
    }

    @Test func `an app that sets another id each time replaces its session and the events tell`() async {
        await #expect(processExitsWith: .success) {
            let time = Box(1.0), log = ScopeLog(.session), app = ForgetfulApp { time.value }
            app.didBecomeActive()
            weak let service = AppLifecycleTests.service(of: .session)
            time.set(2)
            app.didBecomeActive()
            #expect(service == nil)
            #expect(Resolver.optional(Leaf.self, name: "session") == nil)
            let first = ScopeEvent.Scope(kind: .session, id: "notes since 1.0")
            let second = ScopeEvent.Scope(kind: .session, id: "notes since 2.0")
            #expect(log.events == [.opened(first), .ended(first, reason: .replaced, instances: 1), .opened(second)])
        }
    }

    @Test func `an app may end whatever is set in whatever order`() async {
        await #expect(processExitsWith: .success) {
            let log = ScopeLog(.session, .screen, .request)
            for order in AppLifecycleTests.orders {
                for isSet in 0..<8 {
                    let set = AppLifecycleTests.kinds.indices.filter { isSet & 1 << $0 != 0 }
                        .map { AppLifecycleTests.kinds[$0] }
                    let before = log.events.count
                    for kind in set { ScopeContext.shared.setCurrent(kind, id: "a") }
                    let watched = set.map { Watched(object: AppLifecycleTests.service(of: $0)) }
                    #expect(!watched.contains { $0.object == nil })
                    NotesApp().terminate(order)
                    #expect(!watched.contains { $0.object != nil })
                    #expect(ScopeContext.shared.openScopes().isEmpty)
                    #expect(
                        log.events[before...].filter(\.isUnpairedClear).map(\.kind)
                            == order.filter { !set.contains($0) })
                }
            }
            #expect(log.ends.count == 6 * 12)
        }
    }

    @Test func `an app that ends says which screen outlives its session`() async {
        await #expect(processExitsWith: .success) {
            let app = NotesApp(), log = ScopeLog(.session, .screen)
            app.didBecomeActive()
            ScopeContext.shared.setCurrent(.screen, id: "list")
            app.willTerminate()
            let session = ScopeEvent.Scope(kind: .session, id: "notes since 0.0")
            let screen = ScopeEvent.Scope(kind: .screen, id: "list")
            #expect(
                log.events == [
                    .opened(session), .opened(screen), .outlivesParent(screen, parent: session),
                    .ended(session, reason: .cleared, instances: 0), .ended(screen, reason: .cleared, instances: 0),
                ])
        }
    }

    /// Registered for the current scope of a kind, and made.
    private static func service(of kind: ScopeKind) -> Leaf {
        Resolver.registerScoped(Leaf.self, name: .init(kind.name), scope: kind) { Leaf() }
        return Resolver.resolve(name: .init(kind.name))
    }

    private static let orders: [[ScopeKind]] = [
        [.session, .screen, .request], [.session, .request, .screen], [.screen, .session, .request],
        [.screen, .request, .session], [.request, .session, .screen], [.request, .screen, .session],
    ]

    private struct Watched {
        weak var object: Leaf?
    }
}

extension ScopeEvent {
    fileprivate var isUnpairedClear: Bool {
        if case .clearedWithoutScope = self { return true }
        return false
    }
}
