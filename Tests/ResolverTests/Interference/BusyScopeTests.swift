import Resolver
import Testing

/// The promises of Docs/Contexts.md while other threads register the same type.
@Suite struct BusyScopeTests {
    private static let requestsOfAThread = Sanitizer.rounds(50)
    /// How often each busy thread registers at most: what is replaced takes memory until its resolver ends.
    private static let registrations = Sanitizer.rounds(10_000)
    private static let nextID = Box(0)

    /// Where the other threads register: in the resolver that is asked, or in one that is searched after it, in one that is searched
    /// before it and is not asked, or in an isolating one.
    private enum Place: CaseIterable {
        case same, below, front, isolating

        func resolver(around asked: Resolver) -> Resolver {
            switch self {
            case .same: return asked
            case .below:
                let below = Resolver()
                asked.add(child: below)
                return below
            case .front: return Resolver(child: asked)
            case .isolating: return Resolver(isolating: asked)
            }
        }
    }

    /// Registers for all callers until `isOver`, also for the class itself if `hasClass`.
    private static func register(on resolver: Resolver, hasClass: Bool, until isOver: () -> Bool) {
        for _ in 0..<registrations where !isOver() {
            resolver.register { Reply(Reply.shared) }.implements(Role.self)
            if hasClass { resolver.register(Reply.self) { Reply(Reply.shared) }.scope(.cached) }
        }
    }

    /// Opens requests on two threads and runs `body` in them, while two others register for all callers in each place. `after` runs
    /// when the request has ended.
    private static func serve(
        over register: (Resolver) -> Void = { _ in }, places: [Place] = Place.allCases,
        sourceLocation: Testing.SourceLocation = #_sourceLocation,
        _ body: @escaping @Sendable (_ owner: Int, _ resolver: Resolver, _ failures: Failures) -> Void,
        after: @escaping @Sendable (_ owner: Int, _ resolver: Resolver, _ failures: Failures) -> Void = { _, _, _ in }
    ) {
        let failures = Failures()
        // Replaced registrations are released with their resolver.
        for place in places.flatMap({ Array(repeating: $0, count: 5) }) {
            let asked = Resolver(), busy = place.resolver(around: asked), left = Box(2)
            register(asked)
            Threads.run(4) { index in
                if index >= 2 { return self.register(on: busy, hasClass: index == 2) { left.value == 0 } }
                for _ in 0..<requestsOfAThread {
                    let owner = nextID.increment(), request = ScopeContext.shared.open(.request, id: "\(owner)")
                    request.run { asked.run { body(owner, asked, failures) } }
                    request.end()
                    asked.run { after(owner, asked, failures) }
                }
                left.increment(by: -1)
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
        let failures = Failures(), resolver = Resolver(), isOver = Box(false)
        let registering = [false, true].map { hasClass in
            RunningThread { BusyScopeTests.register(on: resolver, hasClass: hasClass) { isOver.value } }
        }
        try await Tasks.results(BusyScopeTests.requestsOfAThread * 10) { owner in
            await Resolver.withScope(.request, id: "\(owner)") {
                await Resolver.registerAsyncScoped(Reply.self, scope: .request) { await yielding(Reply(owner)) }
                for _ in 0..<Failures.looks {
                    let found = try? await resolver.optionalAsync(Reply.self)
                    failures.expectOwn(owner, found)
                }
                // The instance is cached now.
                failures.expectOwn(owner) { try? resolver.tryResolve(Reply.self) }
            }
        }
        isOver.set(true)
        registering.forEach { $0.join() }
        failures.report()
    }

    /// Without a request, `registerScoped` registers on `main`, for every later request.
    @Test func `a request never gets a registration made without a request`() async {
        await #expect(processExitsWith: .success) {
            let failures = Failures(), others = Box(0)
            Threads.run(others: 3) {
                for owner in 0..<Sanitizer.rounds(4_000) {
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

    /// - Parameter isRequired: whether there is no instance without a request.
    @Test(arguments: [false, true])
    func `each request has its own instance and releases it once, and calls without one share none`(_ isRequired: Bool)
    {
        let released = Box<[ObjectIdentifier: Int]>([:]), kept = Box<[Int: Reply]>([:])
        func register(on resolver: Resolver) {
            resolver.register {
                Reply(ScopeContext.shared.currentID(for: .request).flatMap { Int($0) } ?? Reply.shared)
            }
            .implements((any Role).self).scoped(to: .request, required: isRequired)
            .onRelease { reply in released.update { $0[ObjectIdentifier(reply), default: 0] += 1 } }
        }
        // In these places the others do not replace the registration.
        BusyScopeTests.serve(over: register, places: [.below, .front, .isolating]) { owner, resolver, failures in
            let first: Reply = resolver.resolve()
            failures.expectOwn(owner, first)
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

/// What one registration, or one scope, hands out, with the number of its owner.
private final class Reply: Role, Sendable {
    /// The owner of the services that a resolver registers for all callers.
    static let shared = -1

    let owner: Int
    init(_ owner: Int) { self.owner = owner }
}

/// A service that only requests register.
private final class OwnReply: Sendable {}

extension ScopeKind {
    /// A kind that is shorter-lived than a request.
    fileprivate static let task = ScopeKind("task", rank: 5, binding: .execution)
}

extension Failures {
    /// The number of lookups per request. A lookup takes less time than a request, so more threads overlap.
    fileprivate static let looks = 20

    /// Expects that each of several lookups finds an owner's instance.
    fileprivate func expectOwn(_ owner: Int, _ find: () -> Reply?) {
        for look in 0..<Failures.looks { expectOwn(owner, find(), "lookup \(min(look, 1))") }
    }

    fileprivate func expectOwn(_ owner: Int, _ found: Reply?, _ lookup: String = "the lookup") {
        let name =
            switch found?.owner {
            case nil: "nothing"
            case Reply.shared: "a resolver's own, for all callers"
            default: "what belongs to another caller"
            }
        expect(found?.owner == owner, "\(lookup): \(name)")
    }
}
