import Resolver
import Testing

/// What threads see while another one replaces, sets or ends a scope.
@Suite struct ScopeRaceTests {
    private struct Private: Sendable {}

    /// Replaces scopes of a kind on one thread while another one runs `body`.
    private func whileScopesAreReplaced(of kind: ScopeKind, _ body: @escaping @Sendable () -> Void) {
        let isDone = Box(false)
        ScopeContext.shared.setCurrent(kind, id: "0")
        Threads.run(
            {
                for number in 1...5000 { ScopeContext.shared.setCurrent(kind, id: "\(number)") }
                isDone.set(true)
            },
            {
                while !isDone.value { body() }
            })
        ScopeContext.shared.clear(kind)
    }

    @Test func `there is always one while one replaces the other`() {
        let kind = ScopeKind("always one", rank: 20, binding: .process), without = Box(0)
        whileScopesAreReplaced(of: kind) {
            if ScopeContext.shared.current(kind) == nil { without.increment() }
        }
        #expect(without.value == 0)
    }

    @Test func `what is registered meanwhile is not for all scopes to come`() {
        let kind = ScopeKind("registered meanwhile", rank: 20, binding: .process)
        whileScopesAreReplaced(of: kind) {
            Resolver.registerScoped(Private.self, name: "meanwhile", scope: kind) { Private() }
        }
        #expect(Resolver.optional(Private.self, name: "meanwhile") == nil)
    }

    /// In a process of its own: a pass over the open scopes takes as long as the process once had open ones.
    @Test func `an instance of a scope that never becomes current is released with its hooks`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            final class Kept: Sendable {}
            let kind = ScopeKind("not current", rank: 20, binding: .process), setters = Box(2)
            let kept = Box<[Kept]>([]), released = Box<[Kept]>([]), resolver = Resolver()
            resolver.register { Kept() }.scoped(to: kind, required: true).onRelease { released.append($0) }
            let set: @Sendable () -> Void = {
                for _ in 0..<3000 {
                    ScopeContext.shared.setCurrent(kind, id: "the same")
                    ScopeContext.shared.clear(kind)
                }
                setters.update { $0 -= 1 }
            }
            Threads.run(
                set, set,
                {
                    while setters.value > 0 {
                        for scope in ScopeContext.shared.openScopes() where scope.kind == kind {
                            guard let service = scope.run({ resolver.optional(Kept.self) }), scope.isOpen else { continue }
                            kept.append(service)
                        }
                    }
                })
            ScopeContext.shared.clear(kind)
            let identities = { (services: [Kept]) in Set(services.map(ObjectIdentifier.init)) }
            Child.require(identities(kept.value).subtracting(identities(released.value)).isEmpty, "all are released")
        }
    }

    @Test func `what is registered for an ended request is for nobody`() async throws {
        let hasEnded = AsyncGate(), kind = ScopeKind("ended request", rank: 10, binding: .execution)
        let log = ScopeLog(kind)
        let task = await Resolver.withScope(kind, id: "first") {
            Task {
                try await hasEnded.wait()
                await Resolver.registerScoped(Private.self, name: "late", scope: kind) { Private() }
            }
        }
        hasEnded.open()
        _ = try await task.value
        #expect(await Resolver.withScope(kind, id: "second") { Resolver.optional(Private.self, name: "late") } == nil)
        let first = ScopeEvent.Scope(kind: kind, id: "first")
        #expect(
            log.events.contains {
                if case .registeredInEndedScope(first, _) = $0 { true } else { false }
            })
    }

    @Test func `threads that ensure a scope get the same`() {
        let kind = ScopeKind("ensured at once", rank: 20, binding: .process)
        for _ in 0..<300 {
            let ensured = Box<[ScopeHandle]>([])
            Threads.run(2) { index in
                ensured.append(ScopeContext.shared.ensureCurrent(kind, id: "\(index)"))
            }
            #expect(ensured.value[0] === ensured.value[1])
            ScopeContext.shared.clear(kind)
        }
    }

    @Test @MainActor func `what is registered for a scope may belong to an actor`() {
        final class Model { let isOnMain = true }
        Resolver.withScope(.request, id: "main") {
            Resolver.registerScoped(Model.self, scope: .request) { @MainActor in Model() }
            #expect(Resolver.resolve(Model.self) === Resolver.resolve(Model.self))
        }
    }
}
