import Resolver

/// In place of an application's delegate: told when the app comes to the front, leaves it and ends.
class AppLifecycle {
    func didBecomeActive() {}
    func didEnterBackground() {}
    func willTerminate() {}
}

/// An app with a session from its first activation to its end.
class NotesApp: AppLifecycle {
    private let now: () -> Double

    init(now: @escaping () -> Double = { 0 }) {
        self.now = now
    }

    var newSession: String { "notes since \(now())" }

    override func didBecomeActive() {
        ScopeContext.shared.ensureCurrent(.session, id: newSession)
    }

    override func didEnterBackground() {
        ScopeContext.shared.clear(.screen)
    }

    override func willTerminate() {
        terminate([.session, .screen, .request])
    }

    func terminate(_ kinds: [ScopeKind]) {
        for kind in kinds { ScopeContext.shared.clear(kind) }
    }
}

/// The same, but begins a session at each activation: the id has the time in it, so it is another one.
final class ForgetfulApp: NotesApp {
    override func didBecomeActive() {
        ScopeContext.shared.setCurrent(.session, id: newSession)
    }
}
