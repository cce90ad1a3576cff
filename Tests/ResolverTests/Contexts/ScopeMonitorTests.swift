import Resolver
import Testing

/// A monitor as an app writes it: a line for each change of a scope.
@Suite struct ScopeMonitorTests {
    private final class Monitor: Sendable {
        private let written: Box<[String]>
        private let observation: ResolverObservation

        /// - Parameter kinds: other tests cause changes at the same time.
        init(_ kinds: ScopeKind...) {
            let written = Box<[String]>([])
            self.written = written
            observation = ScopeContext.shared.observe { event in
                if let kind = event.kind, kinds.contains(kind), let line = Monitor.line(event) { written.append(line) }
            }
        }

        deinit { observation.cancel() }

        var lines: [String] { written.value }

        private static func line(_ event: ScopeEvent) -> String? {
            switch event {
            case .opened(let scope): line("set", scope.kind, scope.id)
            case .ended(let scope, let reason, _): line("\(reason)", scope.kind, scope.id)
            case .clearedWithoutScope(let kind): line("cleared", kind, nil)
            default: nil
            }
        }

        private static func line(_ action: String, _ kind: ScopeKind, _ id: String?) -> String {
            "\(action) \(kind) \(id ?? "nil")"
        }
    }

    @Test func `a monitor writes what happened in order and nil where there is no id`() async {
        await #expect(processExitsWith: .success) {
            let monitor = Monitor(.screen)
            ScopeContext.shared.setCurrent(.screen, id: "A")
            ScopeContext.shared.setCurrent(.screen, id: "B")
            ScopeContext.shared.clear(.screen)
            ScopeContext.shared.clear(.screen)
            #expect(
                monitor.lines == [
                    "set screen A", "replaced screen A", "set screen B", "cleared screen B", "cleared screen nil",
                ])
        }
    }

    @Test func `it writes scopes that nest as they begin and end`() async {
        await #expect(processExitsWith: .success) {
            let monitor = Monitor(.screen, .session, .request)
            ScopeContext.shared.setCurrent(.session, id: "ada")
            Resolver.withScope(.request, id: "1") {
                ScopeContext.shared.setCurrent(.request, id: "2")
                ScopeContext.shared.setCurrent(.screen, id: "home")
            }
            ScopeContext.shared.clear(.session, cascade: true)
            #expect(
                monitor.lines == [
                    "set session ada", "set request 1", "set request 2", "set screen home", "ended request 2",
                    "ended request 1", "cleared screen home", "cleared session ada",
                ])
        }
    }

    // MARK: Ids

    @Test func `a scope without an id is told of`() {
        let kind = ScopeKind("without an id", rank: 10, binding: .execution), log = ScopeLog(kind)
        Resolver.withScope(kind, id: "") {}
        let scope = ScopeEvent.Scope(kind: kind, id: "")
        #expect(log.events == [.emptyID(kind), .opened(scope), .ended(scope, reason: .ended, instances: 0)])
    }

    @Test func `a scope with the id of one that is open is told of and one with the id of an ended one is not`() {
        let kind = ScopeKind("same id", rank: 10, binding: .execution), log = ScopeLog(kind)
        Resolver.withScope(kind, id: "a") { Resolver.withScope(kind, id: "a") {} }
        Resolver.withScope(kind, id: "a") {}
        let scope = ScopeEvent.Scope(kind: kind, id: "a"), end = ScopeEvent.ended(scope, reason: .ended, instances: 0)
        #expect(log.events == [.opened(scope), .sameID(scope), .opened(scope), end, end, .opened(scope), end])
    }

    @Test func `two kinds may have the same id`() {
        let kinds = [10, 20].map { ScopeKind("same id, other kind", rank: $0, binding: .execution) }
        let log = ScopeLog(kinds[0], kinds[1])
        Resolver.withScope(kinds[1], id: "a") { Resolver.withScope(kinds[0], id: "a") {} }
        #expect(!log.events.contains { if case .sameID = $0 { true } else { false } })
    }
}
