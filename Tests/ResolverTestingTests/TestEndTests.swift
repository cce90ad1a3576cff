import Resolver
import ResolverTesting
import Testing

@Suite struct TestEndTests {
    private final class Logger: Sendable {}
    final class Whole: Sendable {}
    final class Factory: Sendable {
        let resolver: Resolver
        init(_ resolver: Resolver) { self.resolver = resolver }
    }

    /// Resets a scope and clears a context in its deinitializer, which must not reach the process.
    private final class Resetting: Sendable {
        deinit {
            cache.reset()
            ScopeContext.shared.clear(kind)
        }
    }

    struct Trace<Object: AnyObject & Sendable>: Sendable { weak let object: Object? }

    private static let cache = ResolverScopeCache(), kind = ScopeKind("of the process", rank: 12, binding: .process)

    @Test func `release hooks use the test's registrations and contexts, and its end awaits them`() async throws {
        let found = Box<[Bool]>([]), seen = Box<[String?]>([])
        let kind = ScopeKind("end of a test", rank: 13, binding: .execution)
        try await Resolver.withScope(kind, id: "around") {
            try await inTest {
                let own = Resolver.main
                @Sendable func find() {
                    found.append(Resolver.main === own && Resolver.optional(Logger.self) != nil)
                    seen.append(ScopeContext.shared.currentID(for: kind))
                    ScopeContext.shared.setCurrent(kind, id: "left")
                }
                Resolver.register { Logger() }
                Resolver.register(name: "plain") { Whole() }.scope(.cached).onRelease { _ in find() }
                Resolver.register(name: "awaited") { Whole() }.scope(.application).onRelease { _ in
                    await Task.yield()
                    find()
                }
                for name in ["awaited", "plain"] as [Resolver.Name] { _ = Resolver.resolve(Whole.self, name: name) }
            }
            expect(ScopeContext.shared.currentID(for: kind), is: "around")
        }
        expect(found.value, is: [true, true])
        expect(seen.value.prefix(1), is: [nil])
        expect(ScopeContext.shared.currentID(for: kind), is: nil)
    }

    @Test func `deinitializers at a test's end reach no scope or context of the process`() async throws {
        let process = Resolver()
        process.register { Logger() }.scope(Self.cache)
        let kept: Logger = process.resolve()
        ScopeContext.shared.setCurrent(Self.kind, id: "stays")
        Resolver.withTestResolver {
            Resolver.register { Resetting() }.scope(.cached)
            _ = Resolver.resolve(Resetting.self)
        }
        try await inTest {
            Resolver.root = Resolver(child: .main)
            Resolver.root.register { Resetting() }.scope(.cached)
            _ = Resolver.resolve(Resetting.self)
        }
        expect(process.existing(Logger.self) === kept)
        expect(ScopeContext.shared.currentID(for: Self.kind), is: "stays")
        ScopeContext.shared.clear(Self.kind)
    }

    /// What a test does to a singleton that the first of two resolvers of one `register` call has kept.
    enum Change: CaseIterable {
        case none, endsTheResolver, resetsAll, resetsTheRegistrations, resetsTheTest, resetsTheScope
    }

    @Test(arguments: Change.allCases)
    func `resolvers made in a test share a singleton, which is released at the end`(_ change: Change) async throws {
        let released = Box<[ObjectIdentifier]>([]), made = Box<[Logger]>([])
        try await inTest {
            @Sendable func resolver() -> Resolver {
                let resolver = Resolver()
                resolver.register { Logger() }.scope(.application)
                    .onRelease { released.append(ObjectIdentifier($0)) }
                return resolver
            }
            var first: Resolver? = resolver()
            made.append(first!.resolve())
            switch change {
            case .none: break
            case .endsTheResolver: first = nil
            case .resetsAll: first?.reset(.all)
            case .resetsTheRegistrations: first?.reset(.registrations)
            case .resetsTheTest: Resolver.reset()
            case .resetsTheScope: ResolverScope.application.reset()
            }
            expect(released.value.count, is: change == .resetsTheScope ? 1 : 0)
            made.append(resolver().resolve())
            withExtendedLifetime(first) {}
        }
        let instances = Set(made.value.map(ObjectIdentifier.init))
        expect(instances.count, is: change == .resetsTheScope ? 2 : 1)
        expect(Set(released.value), is: instances)
        expect(released.value.count, is: instances.count)
    }

    @Test func `an object that holds its resolver is released in the test, also if a hook recreates it`() async throws {
        let released = Box<[Bool]>([]), resolver = Box(Trace<Resolver>(object: nil))
        try await inTest {
            let number = Box(0)
            Resolver.register { number }
            resolver.set(Trace(object: Resolver.main))
            expect(resolver.value.object != nil)
            Resolver.register { Factory($0) }.scope(.cached).onRelease { _ in
                released.append(Resolver.optional(Box<Int>.self) === number)
            }
            Resolver.register { Whole() }.scope(.cached).onRelease { _ in _ = Resolver.resolve(Factory.self) }
            _ = Resolver.resolve(Whole.self)
            // Younger, so it is released first and created again.
            _ = Resolver.resolve(Factory.self)
        }
        expect(released.value, is: [true, true])
        expect(resolver.value.object, is: nil)
    }

    /// Records in its deinitializer whether `main` is the process's.
    final class Witness: Sendable {
        let isOfProcess: Box<[Bool]>, process: Resolver

        init(_ isOfProcess: Box<[Bool]>, _ process: Resolver) {
            (self.isOfProcess, self.process) = (isOfProcess, process)
        }

        deinit { isOfProcess.append(Resolver.main === process) }
    }

    /// Runs in its own process, because a search for a service in all resolvers, by another test, retains them for a moment.
    @Test func `a late instance's hook uses the test's registrations, which are released in the test after it`() async {
        await #expect(processExitsWith: .success) {
            let seen = Box<[Bool]>([]), found = Box<[Bool]>([]), process = Resolver.main, mayEnd = Gate()
            let task = Resolver.withTestResolver {
                let witness = Witness(seen, process)
                Resolver.register { witness }
                Resolver.register { Whole() }.scope(.cached).onRelease { _ in
                    await Task.yield()
                    found.append(Resolver.optional(Witness.self) != nil)
                }
                return Task {
                    await mayEnd.pass()
                    _ = Resolver.resolve(Whole.self)
                }
            }
            expect(seen.value, is: [], "the task holds what its factories hold")
            mayEnd.open()
            await task.value
            while seen.value.isEmpty { await Task.yield() }
            expect(found.value, is: [true])
            expect(seen.value, is: [false])
        }
    }

    /// Runs in its own process, where no other test searches all resolvers.
    @Test func `an object held by a factory alone is released in its test, and no other test's end retains it`() async {
        await #expect(processExitsWith: .success) {
            let seen = Box<[Bool]>([]), held = Box(0), process = Resolver.main
            try await Tasks.results(4) { _ in
                for _ in 0..<100 {
                    let trace = Resolver.withTestResolver {
                        let witness = Witness(seen, process)
                        Resolver.register { witness }
                        return Trace<Witness>(object: witness)
                    }
                    if trace.object != nil { held.increment() }
                }
            }
            expect(held.value, is: 0)
            expect(seen.value, is: Array(repeating: false, count: 400))
        }
    }

    @Test func `streams, logs and observers end with the test, which releases what they hold`() async throws {
        let tasks = Box<[Task<Void, Never>]>([]), held = Box(Trace<Logger>(object: nil))
        try await inTest(.resolver(.logged)) {
            let log = try #require(ResolutionLog.current), events = ScopeContext.shared.events, logger = Logger()
            tasks.set([Task { for await _ in events {} }, Task { _ = await log.next() }])
            held.set(Trace(object: logger))
            _ = ScopeContext.shared.observe { _ in withExtendedLifetime(logger) {} }
            expect(held.value.object != nil)
        }
        expect(held.value.object, is: nil)
        for task in tasks.value { await task.value }
    }
}
