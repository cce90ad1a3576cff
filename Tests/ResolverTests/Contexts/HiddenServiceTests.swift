import Resolver
import Testing

private final class Basket: Sendable {}
private final class Till: Sendable {
    let basket: Basket?
    init(_ basket: Basket?) { self.basket = basket }
}

/// What is told of a service that belongs to a scope and is hidden while something is made that lives longer.
@Suite struct HiddenServiceTests {
    private let kind = ScopeKind("visit", rank: 10, binding: .execution)

    private func till(_ make: @escaping @Sendable (Resolver) throws -> Till) -> Resolver {
        let resolver = Resolver()
        resolver.register(fileID: "Shop/App.swift", line: 10, factory: make).scope(.cached)
        return resolver
    }

    @Test func `the error names the hidden service, its consumer and the code to write`() throws {
        try Resolver.withScope(kind, id: "42") {
            Resolver.registerScoped(
                Basket.self, scope: kind, fileID: "Shop/Visit.swift", line: 20, factory: { Basket() })
            let resolver = till { r in Till(try r.tryResolve(Basket.self, fileID: "Shop/Till.swift", line: 30)) }
            let error = try #require(resolver.failure(Till.self))
            expect(error.code, is: .notRegistered)
            try expectGolden(error.description, "hidden-in-scope")
            expect(resolver.optional(Basket.self) != nil, "elsewhere it is found")
        }
    }

    @Test(arguments: ["for all scopes", "for the scope", "while the consumer is made"])
    func `an event names the consumer and the service`(_ registered: String) {
        let kind = ScopeKind.ofTest("visit, \(registered)"), log = ScopeLog(kind)
        Resolver.withScope(kind, id: "42") {
            @Sendable func register() { Resolver.registerScoped(Basket.self, scope: kind) { Basket() } }
            if registered == "for the scope" { register() }
            let resolver = till { r in
                if registered == "while the consumer is made" { register() }
                return Till(r.optional())
            }
            if registered == "for all scopes" { resolver.register { Basket() }.scoped(to: kind) }
            expect(resolver.resolve(Till.self).basket == nil, is: registered != "for all scopes")
        }
        expect(log.captives.contains("Basket by Till"))
    }

    private struct Page {
        @Inject var till: Till?
        @Inject(name: "missing") var missing: Till?
    }

    @Test func `an error that inject turns into nil is an event`() {
        let resolver = Resolver(), told = Box<[String]>([])
        let observation = ScopeContext.shared.observe { event in
            if case .injectFailed(let service, let code, let callSite) = event, service.hasSuffix("Till") {
                told.append("\(code) in \(callSite.fileID)")
            }
        }
        defer { observation.cancel() }
        resolver.register { () -> Till in throw Failure() }
        Resolver.withRoot(resolver) {
            let page = Page()
            expect(page.till, is: nil)
            expect(page.missing, is: nil)
        }
        // That there is no such service is no error.
        expect(told.value, is: ["factoryFailed in ResolverTests/HiddenServiceTests.swift"])
    }

    private typealias Part = Leaf
    private typealias Long = Holder<Leaf>

    private static func kind(_ name: String) -> ScopeKind {
        ScopeKind("captive meanwhile, " + name, rank: 17, binding: .process)
    }

    private let resolver = Resolver()

    /// - Parameter isAsync: whether a task makes the service, or a thread.
    @Test(arguments: [false, true])
    func `a service does not see a scope that other code begins while it is made`(_ isAsync: Bool) async throws {
        // Registered for a scope of the process, which other tests would see.
        final class Name: Sendable {}
        let kind = Self.kind("\(isAsync)"), own = Resolver.Name("\(isAsync)"), pause = Pause()
        let usual = Name(), ofTheUser = Name()
        resolver.register(name: own) { usual }
        resolver.register { Name() }.scoped(to: kind)
        if isAsync {
            resolver.register { r async throws -> [Name] in
                try await pause.suspending([await r.resolveAsync(name: own), await r.resolveAsync()])
            }.scope(.container)
        } else {
            resolver.register { r -> [Name] in pause.blocking([r.resolve(name: own), r.resolve()]) }.scope(.container)
        }
        async let made = isAsync ? resolver.resolveAsync([Name].self) : Threads.result { resolver.resolve([Name].self) }
        await pause.hasBegun.pass()
        ScopeContext.shared.setCurrent(kind, id: "the first user").register(name: own) { ofTheUser }
        let ofAnyUser: Name = resolver.resolve()
        expect(resolver.resolve(Name.self, name: own) === ofTheUser)
        pause.mayEnd.open()
        let names = try await made
        expect(names[0] === usual)
        expect(names[1] !== ofAnyUser)
        ScopeContext.shared.clear(kind)
    }

    /// - Parameter depth: the number of creation tasks around each other, in the innermost of which the scope begins.
    @Test(arguments: 1...3)
    func `a service sees a scope that begins in a creation task of its own`(_ depth: Int) async throws {
        let kind = Self.kind("nested creation \(depth)")
        resolver.register { Part() }.scoped(to: kind)
        for level in 1...depth {
            resolver.register(name: .init("\(level)")) { resolver async throws -> Long in
                await Task.yield()
                if level == depth {
                    ScopeContext.shared.setCurrent(kind, id: "me")
                } else {
                    _ = try await resolver.resolveAsync(Long.self, name: .init("\(level + 1)"))
                }
                return Long(Part())
            }.scope(.container)
        }
        resolver.register { resolver async throws -> Long in
            _ = try await resolver.resolveAsync(Long.self, name: "1")
            return Long(try resolver.tryResolve())
        }.scope(.container)
        try await expect(resolver.resolveAsync(Long.self).part === resolver.resolve(Part.self))
        ScopeContext.shared.clear(kind)
    }

    @Test func `a service sees a scope that its own factory begins`() async throws {
        let now = Self.kind("own"), later = Self.kind("own, later")
        let nested = ScopeKind("nested", rank: 3, binding: .execution)
        resolver.register(name: "now") { Part() }.scoped(to: now)
        resolver.register(name: "later") { Part() }.scoped(to: later)
        resolver.register { resolver in
            ScopeContext.shared.setCurrent(now, id: "own")
            return Long(resolver.resolve(name: "now"))
        }.scope(.container)
        resolver.register(name: "later") { resolver async throws -> Long in
            await Task.yield()
            ScopeContext.shared.setCurrent(later, id: "own")
            // Made in a creation of its own, for that scope; what begins there is seen there.
            return try await resolver.resolveAsync(name: "of the scope")
        }.scope(.container)
        resolver.register(name: "nested") { Part() }.scoped(to: nested)
        let isNestedSeen = Box(false)
        resolver.register(name: "of the scope") { resolver async throws -> Long in
            let part: Part = try await resolver.resolveAsync(name: "later")
            isNestedSeen.set(
                await Resolver.withScope(nested, id: "1") {
                    resolver.resolve(Part.self, name: "nested") === resolver.resolve(Part.self, name: "nested")
                })
            return Long(part)
        }.scoped(to: later)
        expect(resolver.resolve(Long.self).part === resolver.resolve(Part.self, name: "now"))
        let holder = try await resolver.resolveAsync(Long.self, name: "later")
        expect(holder.part === resolver.resolve(Part.self, name: "later"))
        expect(isNestedSeen.value)
        ScopeContext.shared.clear(now)
        ScopeContext.shared.clear(later)
    }
}
