import Resolver
import Testing

/// Scopes of several kinds at once, and code that goes by which are current.
@Suite struct ScopeHierarchyTests {
    private final class Panel: Sendable {}
    private final class Profile: Sendable {}

    @Test func `session and screen are current at the same time`() async {
        await #expect(processExitsWith: .success) {
            ScopeContext.shared.setCurrent(.session, id: "user")
            ScopeContext.shared.setCurrent(.screen, id: "home")
            #expect(ScopeContext.shared.currentID(for: .session) == "user")
            #expect(ScopeContext.shared.currentID(for: .screen) == "home")
        }
    }

    @Test func `clearing the screen leaves the session as it was`() async {
        await #expect(processExitsWith: .success) {
            let session = ScopeContext.shared.setCurrent(.session, id: "user")
            session.register { Profile() }
            let profile: Profile = session.resolve()
            ScopeContext.shared.setCurrent(.screen, id: "home")
            ScopeContext.shared.clear(.screen)
            #expect(ScopeContext.shared.current(.session) === session)
            #expect(Resolver.optional(Profile.self) === profile)
        }
    }

    @Test func `clearing the session first leaves the screen open and says so`() async {
        await #expect(processExitsWith: .success) {
            let log = ScopeLog(.screen)
            ScopeContext.shared.setCurrent(.session, id: "user")
            let screen = ScopeContext.shared.setCurrent(.screen, id: "home")
            ScopeContext.shared.clear(.session)
            #expect(screen.isOpen)
            guard case .outlivesParent(let child, let parent)? = log.events.last else {
                Issue.record("\(log.events)")
                return
            }
            #expect("\(child)" == "screen \"home\"")
            #expect("\(parent)" == "session \"user\"")
        }
    }

    @Test func `a cascade ends the screen before the session`() async {
        await #expect(processExitsWith: .success) {
            let log = ScopeLog(.screen, .session)
            ScopeContext.shared.setCurrent(.session, id: "user")
            ScopeContext.shared.setCurrent(.screen, id: "home")
            ScopeContext.shared.clear(.session, cascade: true)
            #expect(ScopeContext.shared.openScopes().isEmpty)
            #expect(log.ends.map(\.kind) == [.screen, .session])
        }
    }

    @Test(arguments: ["Admin panel", "Home", nil])
    func `what is registered may depend on the current id`(_ id: String?) {
        let kind = ScopeKind("conditional", rank: 20, binding: .execution)
        let resolver = Resolver()
        if let id { ScopeContext.shared.setCurrent(kind, id: id) }
        defer { if id != nil { ScopeContext.shared.clear(kind) } }
        if ScopeContext.shared.currentID(for: kind)?.contains("Admin") == true {
            resolver.register { Panel() }.scoped(to: kind)
        } else {
            resolver.register { Profile() }.scoped(to: kind)
        }
        #expect((resolver.optional(Panel.self) != nil) == (id == "Admin panel"))
        #expect((resolver.optional(Profile.self) != nil) == (id != "Admin panel"))
    }

    @Test func `a navigator has released the old screen before it registers the new one`() async {
        await #expect(processExitsWith: .success) {
            let alive = Box(0), aliveAtRegistration = Box<[Int]>([])
            @Sendable func show(_ screen: String) async {
                ScopeContext.shared.clear(.screen)
                ScopeContext.shared.setCurrent(.screen, id: screen)
                aliveAtRegistration.append(alive.value)
                await Resolver.registerScoped(Counted.self, scope: .screen) { Counted(alive) }
            }
            await show("list")
            weak let old = Resolver.resolve(Counted.self)
            await show("detail")
            #expect(old == nil)
            #expect(Resolver.resolve(Counted.self) === Resolver.resolve(Counted.self))
            #expect(alive.value == 1)
            #expect(aliveAtRegistration.value == [0, 0])
        }
    }

    @Test func `a list of the current ids follows what is set`() async {
        await #expect(processExitsWith: .success) {
            @Sendable func list() -> [String] {
                ScopeKind.builtIn.map { "\($0): \(ScopeContext.shared.currentID(for: $0) ?? "none")" }
            }
            #expect(list() == ["screen: none", "session: none", "request: none"])
            ScopeContext.shared.setCurrent(.session, id: "user")
            #expect(list() == ["screen: none", "session: user", "request: none"])
            Resolver.withScope(.request, id: "1") {
                #expect(list() == ["screen: none", "session: user", "request: 1"])
            }
            ScopeContext.shared.clear(.session)
            #expect(list() == ["screen: none", "session: none", "request: none"])
        }
    }
}
