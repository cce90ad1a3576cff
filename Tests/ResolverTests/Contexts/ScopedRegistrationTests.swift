import Resolver
import Testing

@Suite struct ScopedRegistrationTests {
    @Test func `an instance resolved during a second registration is kept`() {
        Resolver.withScope(.request, id: "1") {
            let inHook = Box<Leaf?>(nil)
            let options = Resolver.registerScoped(Leaf.self, scope: .request) { Leaf() }
            options.onRelease { (_: Leaf) in inHook.set(Resolver.resolve(Leaf.self)) }
            _ = Resolver.resolve(Leaf.self)
            // The hook runs when the other registration is there, and before this returns.
            Resolver.registerScoped(Leaf.self, scope: .request) { Leaf() }
            expect(inHook.value != nil)
            expect(Resolver.resolve(Leaf.self) === inHook.value)
        }
    }

    @Test(.ownResolver) func `a service that a session registers for its requests is kept by each request`() {
        let alive = Box(0), session = ScopeContext.shared.open(.session, id: "Ada")
        let log = ScopeLog(.request, .session)
        session.register { Counted(alive) }?.scoped(to: .request)
        session.run {
            for id in ["1", "2"] {
                Resolver.withScope(.request, id: id) {
                    let first: Counted = Resolver.resolve()
                    expect(Resolver.resolve(Counted.self) === first)
                    expect(Resolver.existing(Counted.self) === first)
                }
                expect(alive.value, is: 0, "the request releases it")
            }
        }
        let request = ScopeContext.shared.open(.request, id: "3")
        request.run { session.run { _ = Resolver.resolve(Counted.self) } }
        expect(alive.value, is: 1)
        session.end()
        expect(alive.value, is: 0, "the registration ends with the session")
        request.end()
        let unkept = log.events.contains { if case .resolvedInEndedScope = $0 { true } else { false } }
        expect(!unkept)
    }

    @Test(.ownResolver) func `what a request registers for the session ends with the request`() {
        let alive = Box(0), session = ScopeContext.shared.open(.session, id: "Ada")
        session.run {
            Resolver.withScope(.request, id: "1") {
                ScopeContext.shared.current(.request)?.register { Counted(alive) }?.scoped(to: .session)
                expect(Resolver.resolve(Counted.self) === Resolver.resolve(Counted.self))
                expect(alive.value, is: 1)
            }
            expect(alive.value, is: 0)
            expect(session.instanceCount, is: 0)
        }
    }

    @Test func `an alias of a scope that stands for itself is a dependency cycle, whatever the resolver has`() {
        let resolver = Resolver()
        resolver.register { Leaf() }
        Resolver.withScope(.request, id: "1") {
            Resolver.registerScoped(Leaf.self, scope: .request) { Leaf() }.implements(Leaf.self)
            expect(resolver.failure(Leaf.self)?.code, is: .circularDependency)
        }
        expect(resolver.failure(Leaf.self) == nil)
    }

    @Test(arguments: [false, true])
    func `a scope's own registration comes before an alias whenever the alias is registered`(_ isAliasFirst: Bool) {
        final class Own: Role, Sendable {}
        let kind = ScopeKind("before an alias \(isAliasFirst)", rank: 10, binding: .execution), resolver = Resolver()
        func registerAlias() { resolver.register { Player() }.implements((any Role).self).scope(.cached) }
        func expectType(_ expected: AnyObject.Type) {
            for _ in 0..<3 { expect(type(of: resolver.resolve((any Role).self) as AnyObject) == expected) }
        }
        if isAliasFirst { registerAlias() }
        for id in ["1", "2"] {
            if isAliasFirst { expectType(Player.self) }
            Resolver.withScope(kind, id: id) {
                Resolver.registerScoped((any Role).self, scope: kind) { Own() }
                if id == "1", !isAliasFirst { registerAlias() }
                expectType(Own.self)
            }
            expectType(Player.self)
        }
    }

    @Test(.ownResolver, arguments: [false, true])
    func `a service registered too early is made once for each later scope and reported`(_ isAsync: Bool) async throws {
        let kind = ScopeKind("template, too early \(isAsync)", rank: 10, binding: .execution), log = ScopeLog(kind)
        if isAsync {
            await Resolver.registerAsyncScoped(Leaf.self, scope: kind) { Leaf() }
        } else {
            await Resolver.registerScoped(Leaf.self, scope: kind) { Leaf() }
        }
        @Sendable func resolveTwice() async throws -> [Leaf] {
            try await [Resolver.resolveAsync(), Resolver.resolveAsync()]
        }
        let early = try await resolveTwice()
        expect(early[0] !== early[1])
        let service = "ResolverTests.Leaf", report = ScopeEvent.resolvedWithoutScope(kind, service: service)
        expect(log.events, is: [.registeredWithoutScope(kind, service: service), report, report])
        let first = try await Resolver.withScope(kind, id: "1", resolveTwice)
        let second = try await Resolver.withScope(kind, id: "2", resolveTwice)
        expect(first[0] === first[1] && second[0] === second[1] && first[0] !== second[0])
    }

    // What a scope finds that registers a service at the moment when other threads ask for it, or register it too. Each round needs a
    // name that no scope has had before. The first to register one for a scope looks into all resolvers of the process, and holds them
    // meanwhile, so this runs in processes of its own.

    /// Many resolvers, each with a service that it keeps.
    private struct Players {
        private let all = (0..<24).map { _ in
            let resolver = Resolver()
            return (resolver: resolver, options: resolver.register { Player() }.scope(.container))
        }

        /// Lets the service of each resolver be asked for by a protocol and a name.
        func add(_ name: Resolver.Name) { for player in all { player.options.implements(Role.self, name: name) } }

        func resolve(_ name: Resolver.Name) { for player in all { _ = player.resolver.resolve(Role.self, name: name) } }

        /// Registers a service of its own for a new scope, together with another thread.
        ///
        /// - Returns: how many resolvers have another one in that scope.
        func others(after start: StartLine, _ name: Resolver.Name) -> Int {
            let own = Player()
            return Resolver.withScope(.request, id: "own") {
                // The scope has something already, so the next registration is the quicker.
                Resolver.registerScoped(Leaf.self, name: "first", scope: .request) { Leaf() }
                start.wait()
                Resolver.registerScoped((any Role).self, name: name, scope: .request) { own }
                return all.count { $0.resolver.resolve(Role.self, name: name) !== own }
            }
        }
    }

    /// The first call for the protocol lets later ones go a shorter way, which must not lead past the scope. The first to
    /// register a name for a scope has the most to do, and another one must not be ahead of it.
    @Test(arguments: [false, true])
    func `a scope has its own service although a thread resolves or registers it too`(_ isRegisteredTwice: Bool) async {
        await #expect(processExitsWith: .success) { [isRegisteredTwice] in
            let names = (0..<Sanitizer.rounds(isRegisteredTwice ? 1000 : 2500)).map { Resolver.Name("\($0)") }
            let starts = names.map { _ in StartLine(2) }
            let players = Players(), others = Box(0)
            for name in names {
                players.add(name)
                if isRegisteredTwice { players.resolve(name) }
            }
            Threads.run(2) { thread in
                for (start, name) in zip(starts, names) {
                    if thread == 1 || isRegisteredTwice {
                        others.increment(by: players.others(after: start, name))
                    } else {
                        start.wait()
                        players.resolve(name)
                    }
                }
            }
            Child.require(others.value == 0, "\(others.value) resolvers have another one")
        }
    }

    /// Here the first call makes the service, and is over before the scope looks.
    @Test(arguments: [false, true])
    func `a scope has its own service although a thread has just made the resolver's`(_ byProtocol: Bool) async {
        await #expect(processExitsWith: .success) { [byProtocol] in
            let rounds = (0..<Sanitizer.rounds(1000)).map {
                (name: Resolver.Name("\($0)"), start: StartLine(2), end: StartLine(2))
            }
            let resolver = Resolver(), others = Box(0)
            for round in rounds {
                resolver.register(name: round.name) { Player(after: round.start.wait()) }
                    .implements(Role.self, name: round.name).scope(.container)
            }
            @Sendable func resolve(_ name: Resolver.Name) -> AnyObject {
                byProtocol ? resolver.resolve((any Role).self, name: name) : resolver.resolve(Player.self, name: name)
            }
            Threads.run {
                for round in rounds {
                    _ = resolve(round.name)
                    round.end.wait()
                }
            } beside: {
                for round in rounds {
                    let own = Player()
                    Resolver.withScope(.request, id: "own") {
                        Resolver.registerScoped(Leaf.self, name: "first", scope: .request) { Leaf() }
                        round.start.wait()
                        if byProtocol {
                            Resolver.registerScoped((any Role).self, name: round.name, scope: .request) { own }
                        } else {
                            Resolver.registerScoped(Player.self, name: round.name, scope: .request) { own }
                        }
                        round.end.wait()
                        if resolve(round.name) !== own { others.increment() }
                    }
                }
            }
            Child.require(others.value == 0, "\(others.value) resolvers have another one")
        }
    }

    /// The clock is read several times during a call: when it looks for the session, when it has found the service, and when it asks the
    /// session for it. Each time another session takes the place of the one that the call has found.
    @Test(arguments: [false, true])
    func `a call gets nothing of a session that another one replaces meanwhile`(_ isRegisteredTwice: Bool) async {
        await #expect(processExitsWith: .success) { [isRegisteredTwice] in
            let left = Box(0), made = Box<[Int]>([]), context = ScopeContext.shared
            @Sendable func begin(_ number: Int) {
                let session = context.setCurrent(.session, id: "\(number)", expiresAfter: 60)
                if number == 1 || isRegisteredTwice { session.register { Player(after: made.append(number)) } }
            }
            Resolver.clock = ResolverClock {
                if left.increment(by: -1) == 0 { begin(2) }
                return 0
            }
            for reading in isRegisteredTwice ? 1...3 : 1...8 {
                begin(1)
                made.set([])
                left.set(reading)
                let player = Resolver.optional(Player.self)
                expect(left.exchange(0) <= 0 || !isRegisteredTwice, "\(reading): the clock was not read so often")
                if isRegisteredTwice { expect(player != nil && made.value == [2], "\(reading): \(made.value)") }
                let session = context.current(.session)
                expect(session?.instanceCount, is: session?.id == "1" || isRegisteredTwice ? 1 : 0, "\(reading)")
                context.clear(.session)
            }
        }
    }

    /// Each session has its own service from its beginning to its end, so every call finds one, which a session keeps.
    @Test func `a call finds the service of a session while another thread replaces that session`() async {
        await #expect(processExitsWith: .success) {
            let made = Box(0), kept = Box(0), released = Box(0), missing = Box(0), rounds = Sanitizer.rounds(3000)
            let observation = Resolver.observe { if $0.kind == .kept { kept.increment() } }
            defer { observation.cancel() }
            @Sendable func begin() {
                Resolver.registerScoped(Player.self, scope: .session) { made.counting(Player()) }
                    .onRelease { _ in released.increment() }
            }
            ScopeContext.shared.setCurrent(.session, id: "first")
            begin()
            let haveReplaced = Gate()
            Task {
                for _ in 0..<rounds {
                    try? await ScopeContext.shared.replaceCurrent(.session, id: "next") { begin() }
                }
                haveReplaced.open()
            }
            Threads.run {
                haveReplaced.wait()
            } repeating: {
                if Resolver.optional(Player.self) == nil { missing.increment() }
            }
            ScopeContext.shared.clear(.session)
            Child.require(missing.value == 0, "\(missing.value) calls found nothing")
            Child.require(kept.value == released.value, "\(kept.value) kept, \(released.value) released")
            // What a factory makes while its session ends is for its caller alone, and has no hook. Each session ends once, so it is one
            // instance at most.
            let others = made.value - released.value
            Child.require(0...(rounds + 1) ~= others, "\(made.value) made, \(released.value) released")
        }
    }
}
