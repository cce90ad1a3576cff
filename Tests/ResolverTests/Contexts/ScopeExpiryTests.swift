import Resolver
import Testing

/// Every way to begin a scope takes a time, counted from its beginning or from its last use.
@Suite(.ownResolver) struct ScopeExpiryTests {
    private let context = ScopeContext.shared, time = ManualTime(), hooks = Box<[String]>([])
    init() { Resolver.main.clock = time.clock }

    @Test func `withScope ends in its body when its time is over`() async {
        Resolver.register { Leaf() }.scoped(to: .request)
        @Sendable func expectEnd() {
            let first: Leaf = Resolver.resolve()
            time.advance(by: 4.9)
            expect(Resolver.resolve(Leaf.self) === first)
            time.advance(by: 0.1)
            expect(context.current(.request), is: nil)
            expect(Resolver.resolve(Leaf.self) !== first)
        }
        func inScope() { Resolver.withScope(.request, id: "1", expiresAfter: 5, expectEnd) }
        inScope()
        time.set(0)
        await Resolver.withScope(.request, id: "2", expiresAfter: .seconds(5)) { () async in expectEnd() }
    }

    @Test func `a scope whose time is over has ended, registers nothing and releases its instance when asked for`() {
        let alive = Box(0), log = ScopeLog(.session)
        let session = context.setCurrent(.session, id: "Ada", expiresAfter: 1200)
        session.register { Counted(alive) }
        _ = session.resolve(Counted.self)
        time.set(1199)
        expect(context.currentID(for: .session), is: "Ada")
        expect(alive.value, is: 1)
        expect(session.isOpen)
        time.set(1200)
        expect(!session.isOpen)
        expect(alive.value, is: 1, "to ask it ends nothing")
        expect(session.register { Leaf() }, is: nil)
        expect(context.currentID(for: .session), is: nil)
        expect(alive.value, is: 0)
        expect(log.ends, is: [.init(kind: .session, id: "Ada", reason: .expired, instances: 1)])
    }

    @Test func `clearing a session ends a screen whose time is over as expired`() {
        for cascade in [false, true] {
            time.set(0)
            let log = ScopeLog(.session, .screen)
            context.setCurrent(.session, id: "Ada")
            context.setCurrent(.screen, id: "Home", expiresAfter: 5)
            time.set(10)
            context.clear(.session, cascade: cascade)
            expect(log.ends.map(\.reason), is: [.expired, .cleared])
            expect(log.events.count, is: 4, "the screen does not outlive its session")
        }
    }

    @Test(arguments: ["kind", "id", "cascade", "all", "ended by its id"])
    func `a call that waits for hooks waits for those of a scope whose time is over`(_ call: String) async {
        Resolver.register { Leaf() }.scoped(to: .session)
            .onRelease { (_: Leaf, reason) async in await yielding(hooks.append("\(reason)"), times: 100) }
        context.setCurrent(.session, id: "Ada", expiresAfter: 5)
        _ = Resolver.resolve(Leaf.self)
        time.set(5)
        switch call {
        case "kind": await context.clearAndWait(.session)
        case "id": await context.clearAndWait(.session, id: "Ada")
        case "cascade": await context.clearAndWait(.session, cascade: true)
        case "all": await context.clearAllAndWait()
        default: await context.endAndWait(.session, id: "Ada")
        }
        expect(hooks.value, is: ["expired"])
    }

    /// Calls `body` with the time. Another thread sets Ada's session when the clock is first read: while a call that has seen that no session
    /// is current prepares its own.
    ///
    /// - Parameter moment: the time after that.
    private static func withAnotherThread(
        settingFor seconds: Double, until moment: Double = 0, _ body: (ScopeContext, _ now: Box<Double>) -> Void
    ) {
        let isDue = Box(true), now = Box(0.0)
        Resolver.clock = ResolverClock {
            if isDue.exchange(false) {
                RunningThread { ScopeContext.shared.setCurrent(.session, id: "Ada", expiresAfter: .seconds(seconds)) }
                    .join()
                now.set(moment)
            }
            return now.value
        }
        body(.shared, now)
    }

    /// - Parameter id: that of the other thread is set, and another one is ensured.
    @Test(arguments: ["guest", "Ada"])
    func `a scope that another thread has set meanwhile is current until its time is over`(_ id: String) async {
        await #expect(processExitsWith: .success) { [id] in
            @Sendable func begin(_ context: ScopeContext) -> ScopeHandle {
                id == "Ada"
                    ? context.setCurrent(.session, id: id, expiresAfter: 5)
                    : context.ensureCurrent(.session, id: id, expiresAfter: 5)
            }
            ScopeExpiryTests.withAnotherThread(settingFor: 1800) { context, now in
                let session = begin(context)
                expect(session.id == "Ada" && session.isOpen, "the other session is current")
                now.set(6)
                expect(session.isOpen, is: id != "Ada", "only `setCurrent` restarts its time")
                session.end()
            }
            ScopeExpiryTests.withAnotherThread(settingFor: 5, until: 6) { context, _ in
                // Without a time, which would restart that of the other thread's session.
                let session = id == "Ada" ? context.setCurrent(.session, id: id) : begin(context)
                expect(session.id == id && session.isOpen, "a new session is current")
                expect(context.current(.session) === session, "for all calls")
            }
        }
    }

    @Test func `the end of the scopes with an id ends no other whose time is over`() {
        let log = ScopeLog(.session, .request)
        let eve = context.open(.session, id: "Eve", expiresAfter: 5)
        let request = context.open(.request, id: "Ada", expiresAfter: 5), session = context.open(.session, id: "Ada")
        time.set(5)
        context.end(.session, id: "Ada")
        expect(log.ends, is: [.init(kind: .session, id: "Ada", reason: .ended, instances: 0)])
        withExtendedLifetime((eve, request, session)) {}
    }

    @Test func `a scope without an end does not expire, whatever the clock's moment, and a negative time is over`() {
        expect(!context.open(.request, id: "negative", expiresAfter: -1).isOpen)
        for now in [-.infinity, -1e12, 0, 1e9, 4e9, .infinity] {
            time.set(now)
            for expiry in [ScopeExpiry.seconds(.infinity), .idle(seconds: .infinity), .idle(seconds: 1e300)] {
                Resolver.withScope(.request, id: "\(now)", expiresAfter: expiry) {
                    expect(context.current(.request) != nil, "\(now)")
                }
            }
        }
    }

    @Test func `a session that was refreshed expires, also while it is built`() async throws {
        let old = context.setCurrent(.session, id: "old", expiresAfter: 60)
        time.set(50)
        let new = try await context.replaceCurrent(.session, id: "new", expiresAfter: 60) { context.current(.session) }
        expect(!old.isOpen)
        time.set(109)
        expect(context.current(.session) === new)
        time.set(110)
        expect(context.current(.session), is: nil)
        await #expect(throws: ResolutionError.self) {
            try await context.replaceCurrent(.session, id: "newer", expiresAfter: 60) { time.set(170) }
        }
        expect(context.current(.session), is: nil)
    }

    @Test func `a time begins or begins anew when the same id is set with one, and is left as it is otherwise`() {
        let session = context.setCurrent(.session, id: "Ada")
        time.set(1_000_000)
        context.setCurrent(.session, id: "Ada", expiresAfter: 60)
        time.advance(by: 30)
        expect(context.setCurrent(.session, id: "Ada", expiresAfter: 100) === session)
        time.advance(by: 99)
        expect(context.setCurrent(.session, id: "Ada") === session)
        expect(context.ensureCurrent(.session, id: "Ada", expiresAfter: 600) === session)
        time.advance(by: 1)
        expect(context.current(.session), is: nil)
        context.ensureCurrent(.session, id: "Eve", expiresAfter: 60)
        time.advance(by: 60)
        expect(context.currentID(for: .session), is: nil, "an ensured session expires")
    }

    @Test func `uses prolong an idle time, and questions do not`() {
        Resolver.register { Leaf() }.scoped(to: .session)
        let session = context.setCurrent(.session, id: "Ada", expiresAfter: .idle(seconds: 10))
        time.set(9)
        let leaf: Leaf = Resolver.resolve()
        time.set(18)
        expect(Resolver.resolve(Leaf.self) === leaf, "a hit is a use")
        time.set(27)
        session.run {}
        time.set(36)
        context.setCurrent(.session, id: "Ada")
        time.set(45)
        expect(context.openScopes().map(\.id), is: [context.currentID(for: .session)])
        expect(session.isOpen)
        expect(Resolver.existing(Leaf.self) === leaf)
        expect(session.existing(Leaf.self) === leaf)
        time.set(46)
        expect(!session.isOpen)
        expect(context.current(.session), is: nil)
    }

    @Test func `a scope expires after the shorter of its fixed and its idle time`() {
        for (uses, end) in [([9.0, 18], 25.0), ([9], 19)] {
            time.set(0)
            let scope = context.open(.session, id: "Ada", expiresAfter: .seconds(25).orIdle(seconds: 10))
            for use in uses {
                time.set(use)
                scope.run {}
            }
            time.set(end - 0.1)
            expect(scope.isOpen)
            time.set(end)
            expect(!scope.isOpen)
        }
    }

    @available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
    @Test func `a duration is as good as seconds`() {
        let times: [ScopeExpiry] = [
            .after(.milliseconds(1500)), .idle(.seconds(2)), .after(.seconds(9)).orIdle(.seconds(1)),
        ]
        let scopes = times.map { context.open(.session, id: "1", expiresAfter: $0) }
        for (now, areOpen) in [(1, [true, true, false]), (1.5, [false, true, false]), (2, [false, false, false])] {
            time.set(now)
            expect(scopes.map(\.isOpen), is: areOpen)
        }
    }

    /// The clock is code of the user, which may end what it is asked for.
    @Test func `a clock that ends the scope is no deadlock`() {
        let calls = Box(0)
        Resolver.main.clock = ResolverClock {
            if calls.increment() == 3 { ScopeContext.shared.current(.session)?.end() }
            return Double(calls.value)
        }
        Resolver.register { Leaf() }.scoped(to: .session)
        context.setCurrent(.session, id: "Ada", expiresAfter: .idle(seconds: 100))
        for _ in 0..<4 { _ = Resolver.resolve(Leaf.self) }
        expect(context.current(.session), is: nil)
    }

    @Test func `a call after the expiry of a scope uses the outer scope at once`() {
        Resolver.register { Leaf() }.scoped(to: .request)
        let outer = context.setCurrent(.request, id: "outer"), leaf = Resolver.resolve(Leaf.self)
        context.setCurrent(.request, id: "inner", expiresAfter: 5)
        expect(Resolver.resolve(Leaf.self) !== leaf)
        time.set(5)
        expect(Resolver.resolve(Leaf.self) === leaf)
        expect(context.instancesWithoutScope(.request), is: 0)
        outer.end()
    }

    @Test func `a scope that expires while an event is delivered is reported as well`() async {
        let log = ScopeLog()
        Resolver.register { Leaf() }.scoped(to: .request)
        let handle = context.open(.request, id: "1", expiresAfter: 5)
        time.set(5)
        async let leaf = Resolver.resolve(Leaf.self)
        _ = await leaf
        let end = ScopeEvent.ended(.init(kind: .request, id: "1"), reason: .expired, instances: 0)
        withExtendedLifetime(handle) { expect(log.events.contains(end)) }
    }

    /// In a process of its own: other tests hold open scopes while they look at all.
    @Test func `a handle that is dropped after its time has expired and was not forgotten`() async {
        await #expect(processExitsWith: .success) {
            let time = ManualTime(), log = ScopeLog(.request)
            Resolver.clock = time.clock
            withExtendedLifetime(ScopeContext.shared.open(.request, id: "1", expiresAfter: 5)) { time.set(5) }
            let scope = ScopeEvent.Scope(kind: .request, id: "1")
            expect(log.events, is: [.opened(scope), .ended(scope, reason: .expired, instances: 0)])
        }
    }

    @Test(arguments: [false, true])
    func `a call that has awaited a creation has used the scope then, also if the creation fails`(
        _ isFailing: Bool
    ) async {
        Resolver.register { [time] () async throws -> Leaf in
            time.set(5)
            if isFailing { throw Failure() }
            return Leaf()
        }.scoped(to: .session)
        let session = context.setCurrent(.session, id: "Ada", expiresAfter: .idle(seconds: 8))
        _ = try? await Resolver.resolveAsync(Leaf.self)
        time.set(12.5)
        expect(context.current(.session) === session)
        time.set(13)
        expect(context.current(.session), is: nil)
    }

    @Test(arguments: [ResolverScope.unique, .cached, .graph])
    func `a service that the scope registers for itself is a use in every scope`(_ scope: ResolverScope) async throws {
        let session = context.setCurrent(.session, id: "Ada", expiresAfter: .idle(seconds: 10))
        session.register { Player() }?.implements((any Role).self).scope(scope)
        session.register { await yielding(OtherLeaf()) }?.scope(scope)
        for now in stride(from: 9.0, to: 40, by: 9) {
            time.set(now)
            switch now {
            case 9: _ = try Resolver.tryResolve(Player.self)
            case 18: _ = try Resolver.tryResolve((any Role).self)
            case 27: _ = try await Resolver.resolveAsync(OtherLeaf.self)
            default: _ = session.isOpen
            }
            expect(context.current(.session) === session, "\(now)")
        }
        _ = (Resolver.isRegistered(Player.self), Resolver.existing(Player.self))
        time.set(37)
        expect(context.current(.session), is: nil, "to look is no use")
    }
}
