import Resolver
import Testing

/// The promises of Docs/Contexts.md while other threads register the same type.
@Suite struct BusyScopeTests {
    private static let requestsOfAThread = Sanitizer.rounds(250)
    /// The number of lookups per request. A lookup takes less time than a request, so more threads overlap.
    fileprivate static let looks = 20

    private static let nextID = Box(0)

    /// Opens requests on two threads in each place and runs `body` in them. `after` runs when the request has ended.
    private static func serve(
        over base: () -> Resolver = { Resolver() }, places: [BusyResolver.Place] = BusyResolver.Place.allCases,
        sourceLocation: Testing.SourceLocation = #_sourceLocation,
        _ body: @escaping @Sendable (_ owner: Int, _ resolver: Resolver, _ failures: Failures) -> Void,
        after: @escaping @Sendable (_ owner: Int, _ resolver: Resolver, _ failures: Failures) -> Void = { _, _, _ in }
    ) {
        let failures = Failures()
        for place in places {
            // Replaced registrations are released with their resolver.
            for _ in 0..<5 {
                let busy = BusyResolver(place, over: base())
                busy.run(2) { _ in
                    for _ in 0..<requestsOfAThread / 5 {
                        let owner = nextID.increment()
                        let request = ScopeContext.shared.open(.request, id: "\(owner)")
                        request.run { busy.asked.run { body(owner, busy.asked, failures) } }
                        request.end()
                        busy.asked.run { after(owner, busy.asked, failures) }
                    }
                }
            }
        }
        failures.report(sourceLocation: sourceLocation)
    }

    @Test func `a request finds its own registration at once, until it ends, and not afterwards`() {
        let released = Box<[Int: Int]>([:])
        BusyScopeTests.serve { owner, resolver, failures in
            Resolver.registerScoped(Reply.self, scope: .request) { Reply(owner) }
                .onRelease { reply in released.update { $0[reply.owner, default: 0] += 1 } }
            Resolver.registerScoped(OwnReply.self, scope: .request) { OwnReply() }
            failures.expectOwn(owner) { resolver.optional(Reply.self) }
            let first = resolver.optional(Reply.self), second = Resolver.optional(Reply.self)
            failures.expect(first === second, "two instances in one request")
            failures.expect(resolver.existing(Reply.self)?.owner == owner, "existing() of another")
            failures.expect(released.value[owner] == nil, "released before the end")
        } after: { owner, resolver, failures in
            let found = resolver.optional(Reply.self)
            failures.expect(found == nil || found?.owner == Reply.shared, "an instance of an ended request")
            failures.expect(resolver.optional(OwnReply.self) == nil, "what was for requests alone")
            let times = released.update { $0.removeValue(forKey: owner) } ?? 0
            failures.expect(times == 1, "a hook ran \(times) times")
        }
    }

    @Test func `a request finds its own registration for a protocol, and that of a lower rank before it`() {
        BusyScopeTests.serve { owner, resolver, failures in
            Resolver.registerScoped((any Role).self, scope: .request) { Reply(owner) }
            Resolver.registerScoped(Reply.self, scope: .request) { Reply(owner) }
            failures.expectOwn(owner) { resolver.optional((any Role).self) as? Reply }
            Resolver.withScope(.task, id: "") {
                Resolver.registerScoped(Reply.self, scope: .task) { Reply(-owner - 1) }
                failures.expectOwn(-owner - 1) { resolver.optional(Reply.self) }
            }
            failures.expectOwn(owner) { resolver.optional(Reply.self) }
        }
    }

    @Test func `a task of a request finds the request's asynchronous registration`() async throws {
        let failures = Failures(), busy = BusyResolver(.same), mayStop = Gate()
        let registering = RunningThread { busy.run(1) { _ in mayStop.wait() } }
        try await Tasks.results(BusyScopeTests.requestsOfAThread * 2) { owner in
            await Resolver.withScope(.request, id: "\(owner)") {
                await Resolver.registerAsyncScoped(Reply.self, scope: .request) { await yielding(Reply(owner)) }
                for _ in 0..<BusyScopeTests.looks {
                    let found = try? await busy.asked.optionalAsync(Reply.self)
                    failures.expect(found?.owner == owner, foundName(found, owner))
                }
                // The instance is cached now.
                let found = try? busy.asked.tryResolve(Reply.self)
                failures.expect(found?.owner == owner, "at once: \(foundName(found, owner))")
            }
        }
        mayStop.open()
        registering.join()
        failures.report()
    }

    /// Without a request, `registerScoped` registers on `main`, for every later request.
    @Test func `a request never gets a registration made without a request`() async {
        await #expect(processExitsWith: .success) {
            let failures = Failures(), others = Box(0)
            Threads.run(others: 3) {
                for _ in 0..<Sanitizer.rounds(4_000) {
                    let owner = BusyScopeTests.nextID.increment()
                    Resolver.withScope(.request, id: "\(owner)") {
                        Resolver.registerScoped(Reply.self, scope: .request) { Reply(owner) }
                        failures.expectOwn(owner) { Resolver.optional(Reply.self) }
                    }
                }
            } repeating: {
                let other = -2 - others.increment()
                Resolver.registerScoped(Reply.self, scope: .request) { Reply(other) }
            }
            failures.report()
        }
    }

    /// The places that do not replace the registration, because other threads register elsewhere.
    private static let elsewhere: [BusyResolver.Place] = [.below, .front, .isolating]

    /// - Parameter isRequired: whether there is no instance without a request.
    @Test(arguments: [false, true])
    func `each request has its own instance and releases it once, and calls without one share none`(_ isRequired: Bool)
    {
        let released = Box<[ObjectIdentifier: Int]>([:]), kept = Box<[Int: Reply]>([:])
        func base() -> Resolver {
            let base = Resolver()
            base.register { Reply(ScopeContext.shared.currentID(for: .request).flatMap { Int($0) } ?? Reply.shared) }
                .implements((any Role).self).scoped(to: .request, required: isRequired)
                .onRelease { reply in released.update { $0[ObjectIdentifier(reply), default: 0] += 1 } }
            return base
        }
        BusyScopeTests.serve(over: base, places: BusyScopeTests.elsewhere) { owner, resolver, failures in
            let first: Reply = resolver.resolve()
            failures.expect(first.owner == owner, foundName(first, owner))
            for _ in 0..<4 {
                failures.expect(resolver.resolve(Reply.self) === first, "two instances in one request")
                failures.expect(resolver.resolve((any Role).self) === first, "another instance by the protocol")
            }
            failures.expect(resolver.existing(Reply.self) === first, "existing() is another")
            kept.update { $0[owner] = first }
        } after: { owner, resolver, failures in
            guard let first = kept.update({ $0.removeValue(forKey: owner) }) else { return }
            let times = released.update { $0.removeValue(forKey: ObjectIdentifier(first)) } ?? 0
            failures.expect(times == 1, "a hook ran \(times) times")
            failures.expect(resolver.existing(Reply.self) == nil, "kept without a request")
            let code = resolver.failure(Reply.self)?.code
            failures.expect(
                code == (isRequired ? .scopeDeclined : nil), "\(code?.description ?? "none") without a request")
            guard let one = resolver.optional(Reply.self) else { return }
            failures.expect(one.owner == Reply.shared, "the request of another caller")
            failures.expect(one !== resolver.resolve(Reply.self), "kept without a request")
        }
    }
}

/// A service that only requests register.
private final class OwnReply: Sendable {}

extension ScopeKind {
    /// A kind that is shorter-lived than a request.
    fileprivate static let task = ScopeKind("task", rank: 5, binding: .execution)
}

extension Failures {
    /// Expects that each of several lookups finds an owner's instance.
    fileprivate func expectOwn(_ owner: Int, _ find: () -> Reply?) {
        for look in 0..<BusyScopeTests.looks {
            let found = find()
            expect(found?.owner == owner, "lookup \(min(look, 1)): \(foundName(found, owner))")
        }
    }
}

private func foundName(_ found: Reply?, _ owner: Int) -> String {
    switch found?.owner {
    case nil: "nothing"
    case owner: "its own"
    case Reply.shared: "a resolver's own, for all callers"
    default: "what belongs to another caller"
    }
}
