import Resolver
import Testing

/// The scopes of contexts that an asynchronous factory and the tasks that it starts find.
///
/// Serialized, because a scope that any code has set changes the path of all creations.
@Suite(.serialized) struct CreationScopeTests {
    private static let visit = ScopeKind("visit of a creation", rank: 16, binding: .execution)
    private static let stay = ScopeKind("stay of a creation", rank: 26, binding: .process)

    private let resolver = Resolver(), context = ScopeContext.shared, found = Box<[String?]>([])

    @Test func `an unstructured task of a singleton's factory does not find the request of the caller`() async throws {
        resolver.register { () async -> Leaf in
            Leaf(after: await Task { found.append(context.currentID(for: .request)) }.value)
        }.scope(.cached)
        try await Resolver.withScope(.request, id: "1") { _ = try await resolver.resolveAsync(Leaf.self) }
        expect(found.value, is: [nil])
    }

    @Test func `a scope that a singleton's synchronous factory sets is current for its caller`() {
        resolver.register {
            context.setCurrent(Self.visit, id: "set")
            expect(context.currentID(for: .request), is: "1")
            return Leaf()
        }.scope(.cached)
        Resolver.withScope(.request, id: "1") {
            _ = resolver.resolve(Leaf.self)
            expect(context.currentID(for: Self.visit), is: "set")
        }
        expect(context.currentID(for: Self.visit), is: nil)
    }

    private final class User: Sendable {}
    private final class Badge: Sendable { init(_ user: User) {} }

    @Test(.ownResolver, arguments: [false, true], [false, true])
    func `what a singleton registers for a caller's request is nowhere`(_ isAsync: Bool, _ isSet: Bool) async throws {
        Resolver.main.register(isAsync: isAsync) { _ in
            Leaf(after: Resolver.registerScoped(User.self, scope: .request) { User() })
        }.scope(.application)
        let log = ScopeLog(.request)
        try await Resolver.withScope(.request, id: "Ada") {
            if isSet { context.setCurrent(.request, id: "Eve") }
            _ = try await Resolver.resolveAsync(Leaf.self)
        }
        await Resolver.withScope(.request, id: "Bob") { expect(Resolver.optional(User.self), is: nil) }
        expect(Resolver.optional(User.self), is: nil)
        expect(log.captives, is: ["User by Leaf"])
    }

    @Test(.ownResolver) func `a singleton's asynchronous factory reports what a hidden request would keep`() async {
        Resolver.register { User() }.scoped(to: .request)
        Resolver.register { r async throws in Badge(try await r.resolveAsync()) }.scope(.cached)
        Resolver.register { r async throws -> Leaf in
            _ = try await r.resolveAsync(Badge.self)
            expect(context.currentID(for: .request), is: "1")
            _ = try r.tryResolve(Double.self)
            return Leaf()
        }.scope(.application)
        let log = ScopeLog(.request)
        await Resolver.withScope(.request, id: "1") {
            await Resolver.registerScoped(Double.self, scope: .request) { 1.5 }
            let error = await Resolver.main.asyncFailure(Leaf.self)
            expect(error?.description.contains("That scope is hidden"), is: true, "\(error?.description ?? "")")
        }
        expect(log.captives.first, is: "User by Badge")
        expect(context.instancesWithoutScope(.request), is: 1)
    }

    @Test(.ownResolver, arguments: ["cleared", "ended", "expired"])
    func `an asynchronous factory whose session has ended gets none of the process`(_ way: String) async throws {
        let time = ManualTime()
        Resolver.main.clock = time.clock
        Resolver.register { User() }.scoped(to: .session, required: true)
        Resolver.register { r async throws in Badge(try r.tryResolve()) }.scoped(to: .request)
        context.setCurrent(.session, id: "Bob")
        _ = Resolver.resolve(User.self)
        await context.open(.session, id: "Ada", expiresAfter: 5).run { () async in
            await Resolver.withScope(.request, id: "1") {
                switch way {
                case "cleared": context.clear(.session)
                case "ended": context.current(.session)?.end()
                default: time.set(5)
                }
                await expect(Resolver.main.asyncFailure(Badge.self) != nil)
            }
        }
        expect(context.currentID(for: .session), is: "Bob")
    }

    @Test(.ownResolver) func `a session that an asynchronous factory sets is that of the process`() async throws {
        Resolver.register { () async -> Leaf in
            context.setCurrent(.session, id: "Bob")
            expect(context.currentID(for: .session), is: "Bob")
            return Leaf()
        }.scoped(to: .request)
        context.setCurrent(.session, id: "Ada")
        try await Resolver.withScope(.request, id: "1") { _ = try await Resolver.resolveAsync(Leaf.self) }
        expect(context.currentID(for: .session), is: "Bob")
        expect(context.openScopes().map(\.id), is: ["Bob"])
    }

    @Test(.ownResolver) func `a screen that a singleton sets is that of the process, whatever its caller has`()
        async throws
    {
        let found = Box<Leaf?>(nil)
        Resolver.register { Leaf() }.scoped(to: .screen)
        Resolver.register { () async throws -> OtherLeaf in
            context.setCurrent(.screen, id: "set")
            found.set(try await Resolver.resolveAsync(Leaf.self))
            return OtherLeaf()
        }.scope(.application)
        try await Resolver.withScope(.screen, id: "caller's") {
            _ = try await Resolver.resolveAsync(OtherLeaf.self)
            expect(context.currentID(for: .screen), is: "caller's")
        }
        expect(context.currentID(for: .screen), is: "set")
        expect(Resolver.resolve(Leaf.self) === found.value)
        context.clear(.screen)
    }

    @Test func `an asynchronous factory finds the scope that its caller has set`() async throws {
        resolver.register { () async -> Leaf in
            Leaf(after: found.append(context.currentID(for: Self.visit)))
        }.scoped(to: Self.visit)
        let handle = context.setCurrent(Self.visit, id: "2")
        _ = try await resolver.resolveAsync(Leaf.self)
        handle.end()
        expect(found.value, is: ["2"])
    }

    /// The call that began the creation ends the scopes that were set in it.
    @Test func `a scope that an asynchronous factory sets is open after the call`() async throws {
        resolver.register { () async in context.setCurrent(Self.visit, id: "1") }.scoped(to: .request)
        try await Resolver.withScope(.request, id: "1") {
            let visit = try await context.open(.request, id: "2").resolveAsync(ScopeHandle.self, in: resolver)
            expect(visit.isOpen)
            visit.end()
        }
    }

    @Test(.ownResolver) func `the end of an asynchronous creation is a use of an idle scope`() async throws {
        let time = ManualTime(), pause = Pause()
        Resolver.main.clock = time.clock
        Resolver.register { await pause.suspending(Leaf()) }.scoped(to: Self.visit)
        let visit = context.open(Self.visit, id: "1", expiresAfter: .idle(seconds: 10))
        try await visit.run { () async throws in
            async let leaf = Resolver.resolveAsync(Leaf.self)
            await pause.during { time.set(8) }
            _ = try await leaf
            time.set(13)
            expect(visit.isOpen)
        }
        visit.end()
    }

    @Test(.ownResolver)
    func `an asynchronous factory does not find a session that begins during its creation`() async throws {
        let pause = Pause()
        Resolver.register { () async -> Leaf in
            found.append(context.currentID(for: Self.stay))
            found.append(await pause.suspending(context.currentID(for: Self.stay)))
            return Leaf()
        }.scoped(to: Self.visit)
        context.setCurrent(Self.stay, id: "1")
        try await Resolver.withScope(Self.visit, id: "1") {
            async let leaf = Resolver.resolveAsync(Leaf.self)
            await pause.during { context.setCurrent(Self.stay, id: "2") }
            _ = try await leaf
        }
        expect(found.value, is: ["1", nil])
    }
}
